#include "common/slot/myslots_roaring.h"

#include <roaring/roaring.h>

#include <memory>

namespace slotd {
namespace {

constexpr uint32_t kCookieNoRuns = 12346;
constexpr uint32_t kCookieRuns = 12347;

struct Cursor {
  ByteView in;
  size_t at = 0;
  bool good = true;

  uint32_t take(size_t size) {
    if (in.size() - at < size) {
      good = false;
      return 0;
    }
    uint32_t value = 0;
    for (size_t i = 0; i < size; ++i) value |= uint32_t{in[at + i]} << (8 * i);
    at += size;
    return value;
  }
  bool at_end() const { return good && at == in.size(); }
};

std::optional<SlotSet> read_array(Cursor& cursor, uint32_t cardinality) {
  SlotSet slots;
  int64_t last = -1;
  for (uint32_t i = 0; i < cardinality; ++i) {
    uint32_t value = cursor.take(2);
    if (!cursor.good || value >= kSlotCount || int64_t{value} <= last) return std::nullopt;
    slots.insert(static_cast<Slot>(value));
    last = value;
  }
  return slots;
}

std::optional<SlotSet> read_runs(Cursor& cursor, uint32_t cardinality) {
  SlotSet slots;
  uint32_t runs = cursor.take(2);
  uint32_t next = 0;  // the lowest start that leaves a gap
  for (uint32_t i = 0; i < runs; ++i) {
    uint32_t start = cursor.take(2);
    uint32_t last = start + cursor.take(2);
    if (!cursor.good || start < next || last >= kSlotCount) return std::nullopt;
    slots.insert(SlotRange{static_cast<Slot>(start), static_cast<Slot>(last)});
    next = last + 2;
  }
  return slots.count() == cardinality ? std::optional(slots) : std::nullopt;
}

}  // namespace

Bytes encode_roaring(const SlotSet& slots) {
  std::unique_ptr<roaring_bitmap_t, decltype(&roaring_bitmap_free)> bitmap(roaring_bitmap_create(),
                                                                           roaring_bitmap_free);
  for (SlotRange run : slots.ranges()) {
    roaring_bitmap_add_range_closed(bitmap.get(), run.first, run.last);
  }
  roaring_bitmap_run_optimize(bitmap.get());
  Bytes bytes(roaring_bitmap_portable_size_in_bytes(bitmap.get()));
  roaring_bitmap_portable_serialize(bitmap.get(), reinterpret_cast<char*>(bytes.data()));
  return bytes;
}

std::optional<SlotSet> decode_roaring(ByteView bytes) {
  Cursor cursor{bytes};
  uint32_t cookie = cursor.take(4);
  bool runs = (cookie & 0xffff) == kCookieRuns;
  // One container in all; with runs its number, less one, is in the cookie and a bitmap marks it.
  bool one = runs ? cookie >> 16 == 0 && cursor.take(1) == 1
                  : cookie == kCookieNoRuns && cursor.take(4) == 1;
  if (!one || cursor.take(2) != 0) return std::nullopt;
  uint32_t cardinality = cursor.take(2) + 1;
  if (!runs && cursor.take(4) != cursor.at) return std::nullopt;  // offset of the container
  std::optional<SlotSet> slots =
      runs ? read_runs(cursor, cardinality) : read_array(cursor, cardinality);
  return cursor.at_end() ? slots : std::nullopt;
}

}  // namespace slotd
