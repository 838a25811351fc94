#pragma once

#include <array>
#include <bit>
#include <vector>

#include "common/base/assert.h"
#include "common/slot/slot.h"

namespace slotd {

// A set of slots as a flat 2048-byte bitmap: a value, no allocation, all algebra at word speed.
// Bit s % 64 of word s / 64 is slot s.
class SlotSet {
 public:
  static constexpr size_t kWords = kSlotCount / 64;

  SlotSet() = default;
  static SlotSet full();
  static SlotSet of(SlotRange range);

  bool contains(Slot slot) const { return (word(slot) >> (slot % 64) & 1) != 0; }
  void insert(Slot slot) { word(slot) |= uint64_t{1} << (slot % 64); }
  void erase(Slot slot) { word(slot) &= ~(uint64_t{1} << (slot % 64)); }
  void insert(SlotRange range);
  void erase(SlotRange range);
  void clear() { words_.fill(0); }

  bool empty() const;
  size_t count() const;
  bool intersects(const SlotSet& other) const;
  bool contains(const SlotSet& other) const;

  SlotSet& operator|=(const SlotSet& other);
  SlotSet& operator&=(const SlotSet& other);
  SlotSet& operator-=(const SlotSet& other);
  friend SlotSet operator|(SlotSet a, const SlotSet& b) { return a |= b; }
  friend SlotSet operator&(SlotSet a, const SlotSet& b) { return a &= b; }
  friend SlotSet operator-(SlotSet a, const SlotSet& b) { return a -= b; }
  friend bool operator==(const SlotSet&, const SlotSet&) = default;

  // The set as maximal runs, ascending.
  std::vector<SlotRange> ranges() const;
  size_t range_count() const;

  // The first slot >= `from` in the set (or not in it), or kSlotCount. `from` <= kSlotCount.
  size_t next(size_t from) const { return next_bit(from, 0); }
  size_t next_absent(size_t from) const { return next_bit(from, ~uint64_t{0}); }

  // Calls visit(Slot) for each slot, ascending. The set must not change meanwhile.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (size_t w = 0; w < kWords; ++w) {
      for (uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
        visit(static_cast<Slot>(w * 64 + static_cast<size_t>(std::countr_zero(bits))));
      }
    }
  }

  // The 2048-byte bitmap as Redis Cluster has it: bit s % 8 of byte s / 8 is slot s.
  void to_bitmap(std::span<uint8_t, kSlotBitmapBytes> out) const;
  static SlotSet from_bitmap(std::span<const uint8_t, kSlotBitmapBytes> bitmap);

  const std::array<uint64_t, kWords>& words() const { return words_; }

 private:
  uint64_t& word(Slot slot) {
    SLOT_ASSERT(slot < kSlotCount);
    return words_[slot / 64];
  }
  const uint64_t& word(Slot slot) const {
    SLOT_ASSERT(slot < kSlotCount);
    return words_[slot / 64];
  }
  size_t next_bit(size_t from, uint64_t flip) const;

  std::array<uint64_t, kWords> words_{};
};

static_assert(sizeof(SlotSet) == kSlotBitmapBytes);

}  // namespace slotd
