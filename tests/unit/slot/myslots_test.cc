#include "common/slot/myslots.h"

#include <catch2/catch.hpp>

#include "common/base/rng.h"

using namespace slotd;

namespace {

constexpr MySlotsEncoding kEncodings[] = {MySlotsEncoding::Empty, MySlotsEncoding::Full,
                                          MySlotsEncoding::Roaring, MySlotsEncoding::Gaps,
                                          MySlotsEncoding::Raw};

SlotSet random_set(Rng& rng, uint64_t one_in) {
  SlotSet set;
  for (size_t s = 0; s < kSlotCount; ++s) {
    if (rng.one_in(one_in)) set.insert(static_cast<Slot>(s));
  }
  return set;
}

SlotSet every(size_t step, size_t length) {
  SlotSet set;
  for (size_t s = 0; s < kSlotCount; s += step) {
    set.insert(SlotRange{static_cast<Slot>(s), static_cast<Slot>(s + length - 1)});
  }
  return set;
}

// Every shape that an encoding may find hard.
std::vector<SlotSet> shapes() {
  std::vector<SlotSet> sets{SlotSet(), SlotSet::full()};
  for (int at : {0, 1, 63, 64, 8191, 16382, 16383}) {
    Slot slot = static_cast<Slot>(at);
    sets.push_back(SlotSet::of({slot, slot}));
    sets.push_back(SlotSet::full() - sets.back());
  }
  sets.push_back(SlotSet::of({0, 5460}));
  sets.push_back(SlotSet::of({10923, 16383}));
  sets.push_back(SlotSet::of({0, 0}) | SlotSet::of({16383, 16383}));
  sets.push_back(every(2, 1));
  sets.push_back(every(4, 2));
  sets.push_back(every(4, 3));
  sets.push_back(every(64, 32));
  sets.push_back(every(1024, 1));
  Rng rng(1);
  for (uint64_t one_in : {2, 3, 6, 10, 30, 100, 1000, 8000}) {
    sets.push_back(random_set(rng, one_in));
    sets.push_back(SlotSet::full() - sets.back());
  }
  for (int ranges : {2, 16, 128, 600}) {
    SlotSet set;
    for (int i = 0; i < ranges; ++i) {
      Slot first = static_cast<Slot>(rng.below(kSlotCount - 20));
      set.insert(SlotRange{first, static_cast<Slot>(first + rng.below(20))});
    }
    sets.push_back(set);
  }
  return sets;
}

Result<MySlots> parse_again(const MySlots& slots) {
  return MySlots::parse(static_cast<uint8_t>(slots.encoding()), slots.bytes());
}

// Hostile bytes are refused or mean a set that says the same when it is written again.
void check_hostile(uint8_t tag, ByteView bytes) {
  Result<MySlots> parsed = MySlots::parse(tag, bytes);
  if (!parsed.ok()) {
    REQUIRE_FALSE(parsed.error().message.empty());
    return;
  }
  SlotSet set = parsed->decode();
  REQUIRE(parsed->count() == set.count());
  REQUIRE(MySlots::encode(set).decode() == set);
  Result<MySlots> again = parse_again(*parsed);
  REQUIRE(again.ok());
  REQUIRE(again->decode() == set);
}

}  // namespace

TEST_CASE("every shape round trips in every encoding") {
  for (const SlotSet& set : shapes()) {
    for (MySlotsEncoding encoding : kEncodings) {
      CAPTURE(encoding_name(encoding), set.count(), set.range_count());
      MySlots slots = MySlots::encode_as(set, encoding);
      REQUIRE(slots.decode() == set);
      REQUIRE(slots.count() == set.count());
      REQUIRE(slots.bytes().size() <= kSlotBitmapBytes);
      Result<MySlots> parsed = parse_again(slots);
      REQUIRE(parsed.ok());
      REQUIRE(*parsed == slots);
    }
  }
}

TEST_CASE("the chosen encoding is never longer than any other") {
  for (const SlotSet& set : shapes()) {
    MySlots chosen = MySlots::encode(set);
    REQUIRE(chosen.decode() == set);
    for (MySlotsEncoding encoding : kEncodings) {
      REQUIRE(chosen.bytes().size() <= MySlots::encode_as(set, encoding).bytes().size());
    }
  }
}

TEST_CASE("a forced encoding is used wherever it can say the set") {
  SlotSet third = SlotSet::of({0, 5460});
  CHECK(MySlots::encode_as(third, MySlotsEncoding::Roaring).encoding() == MySlotsEncoding::Roaring);
  CHECK(MySlots::encode_as(third, MySlotsEncoding::Gaps).encoding() == MySlotsEncoding::Gaps);
  CHECK(MySlots::encode_as(third, MySlotsEncoding::Raw).encoding() == MySlotsEncoding::Raw);
  CHECK(MySlots::encode_as(third, MySlotsEncoding::Full).encoding() == MySlotsEncoding::Raw);
  CHECK(MySlots::encode_as(third, MySlotsEncoding::Empty).encoding() == MySlotsEncoding::Raw);
  // Half of all slots, alternating: 8192 isolated slots do not fit into roaring's 2048 bytes.
  CHECK(MySlots::encode_as(every(2, 1), MySlotsEncoding::Roaring).encoding() ==
        MySlotsEncoding::Raw);
  CHECK(MySlots::encode(SlotSet()).encoding() == MySlotsEncoding::Empty);
  CHECK(MySlots::encode(SlotSet::full()).encoding() == MySlotsEncoding::Full);
}

TEST_CASE("a contiguous share of a cluster takes a handful of bytes") {
  for (Slot last : {Slot{5460}, Slot{163}, Slot{15}}) {
    MySlots slots = MySlots::encode(SlotSet::of({0, last}));
    CHECK(slots.bytes().size() <= 8);
  }
}

TEST_CASE("myslots cut short at any byte never crash and never lie") {
  for (const SlotSet& set : shapes()) {
    for (MySlotsEncoding encoding : kEncodings) {
      MySlots slots = MySlots::encode_as(set, encoding);
      size_t step = slots.bytes().size() > 256 ? 17 : 1;
      for (size_t length = 0; length < slots.bytes().size(); length += step) {
        check_hostile(static_cast<uint8_t>(slots.encoding()), slots.bytes().first(length));
      }
    }
  }
}

TEST_CASE("myslots with random mutations never crash and never lie") {
  Rng rng(2);
  for (const SlotSet& set : shapes()) {
    for (MySlotsEncoding encoding : kEncodings) {
      MySlots slots = MySlots::encode_as(set, encoding);
      for (int round = 0; round < 40; ++round) {
        Bytes bytes(slots.bytes().begin(), slots.bytes().end());
        for (uint64_t i = 0; i <= rng.below(3) && !bytes.empty(); ++i) {
          bytes[rng.below(bytes.size())] ^= static_cast<uint8_t>(1u << rng.below(8));
        }
        if (rng.one_in(4)) bytes.push_back(static_cast<uint8_t>(rng.next()));
        check_hostile(static_cast<uint8_t>(slots.encoding()), bytes);
        check_hostile(static_cast<uint8_t>(rng.below(8)), bytes);
      }
    }
  }
}

TEST_CASE("random bytes under every tag never crash and never lie") {
  Rng rng(3);
  for (int round = 0; round < 5000; ++round) {
    Bytes bytes(rng.below(64));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.next());
    check_hostile(static_cast<uint8_t>(rng.below(6)), bytes);
  }
}

TEST_CASE("wrong tags and lengths are refused") {
  Bytes bitmap(kSlotBitmapBytes, 0x55);
  CHECK(MySlots::parse(4, bitmap).ok());
  CHECK_FALSE(MySlots::parse(4, ByteView(bitmap).first(2047)).ok());
  bitmap.push_back(0);
  CHECK_FALSE(MySlots::parse(4, bitmap).ok());
  CHECK_FALSE(MySlots::parse(5, {}).ok());
  CHECK_FALSE(MySlots::parse(255, {}).ok());
  CHECK_FALSE(MySlots::parse(0, Bytes{0}).ok());
  CHECK_FALSE(MySlots::parse(1, Bytes{0}).ok());
  CHECK_FALSE(MySlots::parse(2, {}).ok());
  CHECK_FALSE(MySlots::parse(3, {}).ok());
}

TEST_CASE("encodings have names, and smallest is none of them") {
  for (MySlotsEncoding encoding : kEncodings) {
    Result<MySlotsEncoding> parsed = parse_encoding_name(encoding_name(encoding));
    REQUIRE(parsed.ok());
    CHECK(*parsed == encoding);
  }
  CHECK_FALSE(parse_encoding_name("smallest").ok());
  CHECK_FALSE(parse_encoding_name("").ok());
}
