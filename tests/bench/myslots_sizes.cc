// myslots_sizes: how many bytes one master's slot set takes in each encoding, for clusters of 1 to
// 1000 masters, against the information bound. "scattered" gives each slot to a master drawn at
// random, "contiguous" gives each master one range. Fixed seed: the same table every time.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "common/base/rng.h"
#include "common/slot/myslots.h"

namespace {

using slotd::MySlotsEncoding;
using slotd::Slot;
using slotd::SlotSet;

struct Mean {
  double roaring = 0, gaps = 0, raw = 0, chosen = 0, bound = 0;
};

// log2 of the number of sets of that size, in bytes: no code for scattered sets can be shorter on
// average.
double information_bound(size_t count) {
  auto log_factorial = [](size_t n) { return std::lgamma(static_cast<double>(n) + 1); };
  double nats = log_factorial(slotd::kSlotCount) - log_factorial(count) -
                log_factorial(slotd::kSlotCount - count);
  return nats / std::log(2.0) / 8;
}

std::vector<SlotSet> scattered(size_t masters, slotd::Rng& rng) {
  std::vector<SlotSet> sets(masters);
  for (size_t s = 0; s < slotd::kSlotCount; ++s)
    sets[rng.below(masters)].insert(static_cast<Slot>(s));
  return sets;
}

std::vector<SlotSet> contiguous(size_t masters) {
  std::vector<SlotSet> sets(masters);
  for (size_t s = 0; s < slotd::kSlotCount; ++s) {
    sets[s * masters / slotd::kSlotCount].insert(static_cast<Slot>(s));
  }
  return sets;
}

// encode_as falls back to the bitmap where an encoding is no shorter, so no column exceeds 2048.
double bytes_of(const SlotSet& set, MySlotsEncoding encoding) {
  return static_cast<double>(slotd::MySlots::encode_as(set, encoding).bytes().size());
}

Mean measure(const std::vector<SlotSet>& sets) {
  Mean mean;
  double share = 1.0 / static_cast<double>(sets.size());
  for (const SlotSet& set : sets) {
    mean.roaring += share * bytes_of(set, MySlotsEncoding::Roaring);
    mean.gaps += share * bytes_of(set, MySlotsEncoding::Gaps);
    mean.raw += share * bytes_of(set, MySlotsEncoding::Raw);
    mean.chosen += share * static_cast<double>(slotd::MySlots::encode(set).bytes().size());
    mean.bound += share * information_bound(set.count());
  }
  return mean;
}

void print(const char* shape, size_t masters, const Mean& mean) {
  fmt::print("{:<10} {:>8} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f}\n", shape, masters,
             mean.roaring, mean.gaps, mean.raw, mean.chosen, mean.bound);
}

}  // namespace

int main() {
  constexpr size_t kMasters[] = {1, 2, 3, 6, 10, 30, 100, 300, 1000};
  slotd::Rng rng(1);
  fmt::print("{:<10} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "bytes", "masters", "roaring", "gaps",
             "raw", "chosen", "bound");
  for (size_t masters : kMasters) print("scattered", masters, measure(scattered(masters, rng)));
  for (size_t masters : kMasters) print("contiguous", masters, measure(contiguous(masters)));
}
