// What the encodings promise in bytes: close to the information bound for scattered sets, a handful
// for ranges, and never more than the bitmap.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "common/base/rng.h"
#include "common/slot/myslots.h"
#include "common/slot/myslots_gaps.h"

using namespace slotd;

namespace {

// log2 of the number of sets of that size, in whole bytes.
double bound_bytes(size_t count) {
  auto log_factorial = [](size_t n) { return std::lgamma(static_cast<double>(n) + 1); };
  double nats =
      log_factorial(kSlotCount) - log_factorial(count) - log_factorial(kSlotCount - count);
  return std::ceil(nats / std::log(2.0) / 8);
}

// Any set of exactly `count` slots, all as likely (Floyd's sampling).
SlotSet sample(size_t count, Rng& rng) {
  SlotSet set;
  for (size_t last = kSlotCount - count; last < kSlotCount; ++last) {
    Slot drawn = static_cast<Slot>(rng.below(last + 1));
    set.insert(set.contains(drawn) ? static_cast<Slot>(last) : drawn);
  }
  return set;
}

// How many bytes the elements form takes with the best parameter, found by trying them all.
size_t dumb_elements_bytes(const SlotSet& slots) {
  size_t best = SIZE_MAX;
  for (unsigned k = 0; k <= 13; ++k) {
    size_t bits = 0;
    size_t next = 0;
    slots.for_each([&](Slot slot) {
      bits += ((slot - next) >> k) + 1 + k;
      next = slot + 1u;
    });
    best = std::min(best, 1 + (bits + 7) / 8);
  }
  return best;
}

}  // namespace

TEST_CASE("scattered sets of any size lie within 5 % and 3 bytes of the information bound") {
  Rng rng(1);
  for (size_t count = 1; count < kSlotCount; count += 1 + count / 24) {
    for (size_t elements : {count, kSlotCount - count}) {
      SlotSet set = sample(elements, rng);
      REQUIRE(set.count() == elements);
      size_t bytes = MySlots::encode(set).bytes().size();
      CAPTURE(elements, bytes, bound_bytes(elements));
      REQUIRE(bytes <= kSlotBitmapBytes);
      // The bound is the mean over all sets; a small set may be unlucky by a few bits.
      double allowed = 1.05 * bound_bytes(elements) + 3;
      REQUIRE((static_cast<double>(bytes) <= allowed || bytes == kSlotBitmapBytes));
    }
  }
}

TEST_CASE("any one range takes at most seven bytes, and with its complement") {
  Rng rng(2);
  for (int round = 0; round < 2000; ++round) {
    Slot first = static_cast<Slot>(rng.below(kSlotCount));
    SlotSet set = SlotSet::of({first, static_cast<Slot>(rng.between(first, kSlotCount - 1))});
    CAPTURE(first, set.count());
    REQUIRE(MySlots::encode(set).bytes().size() <= 7);
    REQUIRE(MySlots::encode(SlotSet::full() - set).bytes().size() <= 10);
  }
}

TEST_CASE("the Rice parameter is the best of all") {
  Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    SlotSet set = sample(1 + rng.below(1u << rng.below(14)), rng);
    // Some long absences between dense parts: a mean that says little.
    if (rng.one_in(2)) set.erase(SlotRange{1000, static_cast<Slot>(rng.between(1000, 16000))});
    if (set.empty() || set.count() > kSlotCount / 2) continue;
    CAPTURE(set.count(), set.range_count());
    REQUIRE(encode_gaps(set).size() <= dumb_elements_bytes(set));
  }
}
