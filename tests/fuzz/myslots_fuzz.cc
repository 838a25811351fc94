// MySlots::parse: first byte the tag, then the encoded set. What is accepted says the same set in
// every encoding.
#include "common/slot/myslots.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  uint8_t tag = input.byte();
  Result<MySlots> parsed = MySlots::parse(tag, input.rest());
  if (!parsed) return 0;
  SlotSet slots = parsed->decode();
  FUZZ_CHECK(parsed->count() == slots.count());
  FUZZ_CHECK(MySlots::encode(slots).decode() == slots);
  for (int encoding = 0; encoding <= static_cast<int>(MySlotsEncoding::Raw); ++encoding) {
    MySlots again = MySlots::encode_as(slots, static_cast<MySlotsEncoding>(encoding));
    Result<MySlots> read = MySlots::parse(static_cast<uint8_t>(again.encoding()), again.bytes());
    FUZZ_CHECK(read.ok() && read->decode() == slots);
  }
  return 0;
}
