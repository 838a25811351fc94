#include "common/slot/slot_ranges.h"

#include <catch2/catch.hpp>

#include "common/base/rng.h"

using namespace slotd;

namespace {

struct BadText {
  const char* text;
  const char* reason;
  const char* position;
};

}  // namespace

TEST_CASE("slot ranges are read as people write them") {
  Result<SlotSet> slots = parse_slot_ranges("0-5460,7000");
  REQUIRE(slots.ok());
  CHECK(*slots == (SlotSet::of({0, 5460}) | SlotSet::of({7000, 7000})));
  CHECK(*parse_slot_ranges("0-16383") == SlotSet::full());
  CHECK(*parse_slot_ranges("16383") == SlotSet::of({16383, 16383}));
  CHECK(*parse_slot_ranges("7,3-4,5-5") == (SlotSet::of({3, 5}) | SlotSet::of({7, 7})));
}

TEST_CASE("bad slot ranges are refused with reason and position") {
  const BadText bad[] = {
      {"16384", "out of range", "position 1"},
      {"0-16384", "out of range", "position 3"},
      {"5-3", "backwards", "position 1"},
      {"-1", "missing", "position 1"},
      {"1-", "missing", "position 3"},
      {"", "missing", "position 1"},
      {",", "missing", "position 1"},
      {"1,", "missing", "position 3"},
      {"1,,2", "missing", "position 3"},
      {"0-5,3", "named again", "position 5"},
      {"3,3", "slot 3 is named again", "position 3"},
      {"1-2-3", "is not a slot", "position 3"},
      {"a", "is not a slot", "position 1"},
      {"1, 2", "is not a slot", "position 3"},
      {"0x10", "is not a slot", "position 1"},
      {"+1", "is not a slot", "position 1"},
      {"65536", "out of range", "position 1"},
      {"18446744073709551616", "out of range", "position 1"},
      {"1,99999999999999999999999999999999999999", "out of range", "position 3"},
  };
  for (const BadText& item : bad) {
    CAPTURE(item.text);
    Result<SlotSet> slots = parse_slot_ranges(item.text);
    REQUIRE_FALSE(slots.ok());
    CHECK_THAT(slots.error().message, Catch::Contains(item.reason));
    CHECK_THAT(slots.error().message, Catch::Contains(item.position));
    CHECK(slots.error().message.find('\n') == std::string::npos);
  }
}

TEST_CASE("what is written is the shortest text and reads back") {
  CHECK(format_slot_ranges(SlotSet()) == "");
  CHECK(format_slot_ranges(SlotSet::full()) == "0-16383");
  CHECK(format_slot_ranges(*parse_slot_ranges("5,3,4,9")) == "3-5,9");
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    SlotSet slots;
    for (uint64_t i = 0; i <= rng.below(50); ++i) {
      Slot first = static_cast<Slot>(rng.below(kSlotCount));
      Slot last = static_cast<Slot>(std::min<uint64_t>(kSlotCount - 1, first + rng.below(40)));
      slots.insert(SlotRange{first, last});
    }
    Result<SlotSet> again = parse_slot_ranges(format_slot_ranges(slots));
    REQUIRE(again.ok());
    REQUIRE(*again == slots);
  }
}
