#include "common/slot/slot_set.h"

#include <algorithm>

namespace slotd {
namespace {

// Calls apply(word index, mask) for each word that the range touches.
template <typename Apply>
void for_each_mask(SlotRange range, Apply apply) {
  SLOT_ASSERT(range.first <= range.last && range.last < kSlotCount);
  size_t first_word = range.first / 64;
  size_t last_word = range.last / 64;
  for (size_t w = first_word; w <= last_word; ++w) {
    uint64_t mask = ~uint64_t{0};
    if (w == first_word) mask &= ~uint64_t{0} << (range.first % 64);
    if (w == last_word) mask &= ~uint64_t{0} >> (63 - range.last % 64);
    apply(w, mask);
  }
}

}  // namespace

SlotSet SlotSet::full() {
  SlotSet set;
  set.words_.fill(~uint64_t{0});
  return set;
}

SlotSet SlotSet::of(SlotRange range) {
  SlotSet set;
  set.insert(range);
  return set;
}

void SlotSet::insert(SlotRange range) {
  for_each_mask(range, [this](size_t w, uint64_t mask) { words_[w] |= mask; });
}

void SlotSet::erase(SlotRange range) {
  for_each_mask(range, [this](size_t w, uint64_t mask) { words_[w] &= ~mask; });
}

bool SlotSet::empty() const {
  return std::all_of(words_.begin(), words_.end(), [](uint64_t w) { return w == 0; });
}

size_t SlotSet::count() const {
  size_t total = 0;
  for (uint64_t w : words_) {
    // Most words of a master among many are zero, and the baseline CPU has no popcount.
    if (w != 0) total += static_cast<size_t>(std::popcount(w));
  }
  return total;
}

bool SlotSet::intersects(const SlotSet& other) const {
  uint64_t common = 0;
  for (size_t w = 0; w < kWords; ++w) common |= words_[w] & other.words_[w];
  return common != 0;
}

bool SlotSet::contains(const SlotSet& other) const {
  uint64_t missing = 0;
  for (size_t w = 0; w < kWords; ++w) missing |= other.words_[w] & ~words_[w];
  return missing == 0;
}

SlotSet& SlotSet::operator|=(const SlotSet& other) {
  for (size_t w = 0; w < kWords; ++w) words_[w] |= other.words_[w];
  return *this;
}

SlotSet& SlotSet::operator&=(const SlotSet& other) {
  for (size_t w = 0; w < kWords; ++w) words_[w] &= other.words_[w];
  return *this;
}

SlotSet& SlotSet::operator-=(const SlotSet& other) {
  for (size_t w = 0; w < kWords; ++w) words_[w] &= ~other.words_[w];
  return *this;
}

std::vector<SlotRange> SlotSet::ranges() const {
  std::vector<SlotRange> runs;
  for (size_t first = next(0); first < kSlotCount;) {
    size_t end = next_absent(first);
    runs.push_back({static_cast<Slot>(first), static_cast<Slot>(end - 1)});
    first = next(end);
  }
  return runs;
}

size_t SlotSet::range_count() const {
  // A run starts at each set bit whose lower neighbour is not set.
  size_t starts = 0;
  uint64_t carry = 0;
  for (uint64_t w : words_) {
    starts += static_cast<size_t>(std::popcount(w & ~(w << 1 | carry)));
    carry = w >> 63;
  }
  return starts;
}

size_t SlotSet::next_bit(size_t from, uint64_t flip) const {
  if (from >= kSlotCount) return kSlotCount;
  size_t w = from / 64;
  uint64_t bits = (words_[w] ^ flip) & (~uint64_t{0} << (from % 64));
  while (bits == 0) {
    if (++w == kWords) return kSlotCount;
    bits = words_[w] ^ flip;
  }
  return w * 64 + static_cast<size_t>(std::countr_zero(bits));
}

void SlotSet::to_bitmap(std::span<uint8_t, kSlotBitmapBytes> out) const {
  for (size_t i = 0; i < kSlotBitmapBytes; ++i) {
    out[i] = static_cast<uint8_t>(words_[i / 8] >> (8 * (i % 8)));
  }
}

SlotSet SlotSet::from_bitmap(std::span<const uint8_t, kSlotBitmapBytes> bitmap) {
  SlotSet set;
  for (size_t i = 0; i < kSlotBitmapBytes; ++i) {
    set.words_[i / 8] |= uint64_t{bitmap[i]} << (8 * (i % 8));
  }
  return set;
}

}  // namespace slotd
