#include "common/slot/slot_set.h"

#include <catch2/catch.hpp>

#include <bitset>

#include "common/base/rng.h"

using namespace slotd;

namespace {

using Twin = std::bitset<kSlotCount>;

// A set and its dumb twin, changed alike.
struct Pair {
  SlotSet set;
  Twin twin;

  void mutate(Rng& rng) {
    Slot first = static_cast<Slot>(rng.below(kSlotCount));
    Slot last = static_cast<Slot>(rng.between(first, kSlotCount - 1));
    switch (rng.below(5)) {
      case 0:
        set.insert(first);
        twin.set(first);
        break;
      case 1:
        set.erase(first);
        twin.reset(first);
        break;
      case 2:
        set.insert(SlotRange{first, last});
        for (size_t s = first; s <= last; ++s) twin.set(s);
        break;
      case 3:
        set.erase(SlotRange{first, last});
        for (size_t s = first; s <= last; ++s) twin.reset(s);
        break;
      default:
        if (!rng.one_in(10)) return;
        set.clear();
        twin.reset();
    }
  }
};

bool same(const SlotSet& set, const Twin& twin) {
  for (size_t s = 0; s < kSlotCount; ++s) {
    if (set.contains(static_cast<Slot>(s)) != twin.test(s)) return false;
  }
  return set.count() == twin.count() && set.empty() == twin.none();
}

std::vector<SlotRange> dumb_ranges(const Twin& twin) {
  std::vector<SlotRange> ranges;
  for (size_t s = 0; s < kSlotCount; ++s) {
    if (!twin.test(s)) continue;
    Slot slot = static_cast<Slot>(s);
    if (s > 0 && twin.test(s - 1)) {
      ranges.back().last = slot;
    } else {
      ranges.push_back({slot, slot});
    }
  }
  return ranges;
}

size_t dumb_next(const Twin& twin, size_t from, bool present) {
  while (from < kSlotCount && twin.test(from) != present) ++from;
  return from;
}

}  // namespace

TEST_CASE("a slot set equals its dumb twin after any operations") {
  Rng rng(1);
  Pair a, b;
  for (int round = 0; round < 300; ++round) {
    a.mutate(rng);
    b.mutate(rng);
    REQUIRE(same(a.set, a.twin));
    REQUIRE(same(a.set | b.set, a.twin | b.twin));
    REQUIRE(same(a.set & b.set, a.twin & b.twin));
    REQUIRE(same(a.set - b.set, a.twin & ~b.twin));
    REQUIRE(a.set.intersects(b.set) == (a.twin & b.twin).any());
    REQUIRE(a.set.contains(b.set) == (b.twin & ~a.twin).none());
    REQUIRE((a.set == b.set) == (a.twin == b.twin));
    REQUIRE(a.set.ranges() == dumb_ranges(a.twin));
    REQUIRE(a.set.range_count() == a.set.ranges().size());
    size_t from = rng.below(kSlotCount + 1);
    REQUIRE(a.set.next(from) == dumb_next(a.twin, from, true));
    REQUIRE(a.set.next_absent(from) == dumb_next(a.twin, from, false));
  }
}

TEST_CASE("visiting gives each slot once, ascending") {
  Rng rng(2);
  Pair pair;
  for (int i = 0; i < 30; ++i) pair.mutate(rng);
  size_t expected = dumb_next(pair.twin, 0, true);
  pair.set.for_each([&](Slot slot) {
    REQUIRE(slot == expected);
    expected = dumb_next(pair.twin, expected + 1, true);
  });
  CHECK(expected == kSlotCount);
}

TEST_CASE("the bitmap is Redis Cluster's and round trips") {
  SlotSet set;
  set.insert(Slot{0});
  set.insert(Slot{9});
  set.insert(Slot{16383});
  std::array<uint8_t, kSlotBitmapBytes> bitmap{};
  set.to_bitmap(bitmap);
  CHECK(bitmap[0] == 0x01);
  CHECK(bitmap[1] == 0x02);
  CHECK(bitmap[2047] == 0x80);
  CHECK(SlotSet::from_bitmap(bitmap) == set);
}

TEST_CASE("the borders of sets") {
  CHECK(SlotSet().empty());
  CHECK(SlotSet::full().count() == kSlotCount);
  CHECK(SlotSet::full().ranges() == std::vector<SlotRange>{{0, 16383}});
  CHECK(SlotSet::full().next_absent(0) == kSlotCount);
  CHECK(SlotSet().next(0) == kSlotCount);
  CHECK(SlotSet::full().next(kSlotCount) == kSlotCount);
  CHECK(SlotSet::of({63, 64}).count() == 2);
  CHECK(SlotSet::of({0, 16383}) == SlotSet::full());
}
