// parse_slot_ranges: what is accepted reads back from the shortest text; what is refused has a
// reason.
#include "common/slot/slot_ranges.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<SlotSet> slots = parse_slot_ranges(fuzz::Input(data, size).text());
  if (!slots) {
    FUZZ_CHECK(!slots.error().message.empty());
    return 0;
  }
  FUZZ_CHECK(!slots->empty());
  Result<SlotSet> again = parse_slot_ranges(format_slot_ranges(*slots));
  FUZZ_CHECK(again.ok() && *again == *slots);
  return 0;
}
