#include "common/slot/myslots.h"

#include <array>
#include <optional>

#include "common/slot/myslots_gaps.h"
#include "common/slot/myslots_roaring.h"

namespace slotd {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"empty", "full", "roaring", "gaps", "raw"};

Bytes encode_raw(const SlotSet& slots) {
  Bytes bytes(kSlotBitmapBytes);
  slots.to_bitmap(std::span<uint8_t, kSlotBitmapBytes>(bytes.data(), kSlotBitmapBytes));
  return bytes;
}

std::optional<SlotSet> decode_bytes(MySlotsEncoding encoding, ByteView bytes) {
  switch (encoding) {
    case MySlotsEncoding::Empty: return bytes.empty() ? std::optional(SlotSet{}) : std::nullopt;
    case MySlotsEncoding::Full:
      return bytes.empty() ? std::optional(SlotSet::full()) : std::nullopt;
    case MySlotsEncoding::Roaring: return decode_roaring(bytes);
    case MySlotsEncoding::Gaps: return decode_gaps(bytes);
    case MySlotsEncoding::Raw: break;
  }
  if (bytes.size() != kSlotBitmapBytes) return std::nullopt;
  return SlotSet::from_bitmap(
      std::span<const uint8_t, kSlotBitmapBytes>(bytes.data(), kSlotBitmapBytes));
}

}  // namespace

std::string_view encoding_name(MySlotsEncoding encoding) {
  return kNames[static_cast<size_t>(encoding)];
}

Result<MySlotsEncoding> parse_encoding_name(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<MySlotsEncoding>(i);
  }
  return make_error(ErrorCode::InvalidArgument, "'{}' is no myslots encoding", name);
}

// Roaring is never the shortest (see myslots_gaps.h), so it is not tried.
MySlots MySlots::encode(const SlotSet& slots) {
  size_t count = slots.count();
  if (count == 0) return {};
  if (count == kSlotCount) return MySlots(MySlotsEncoding::Full, {}, count);
  Bytes gaps = encode_gaps(slots);
  if (gaps.size() <= kSlotBitmapBytes)
    return MySlots(MySlotsEncoding::Gaps, gaps, count);
  return MySlots(MySlotsEncoding::Raw, encode_raw(slots), count);
}

MySlots MySlots::encode_as(const SlotSet& slots, MySlotsEncoding encoding) {
  size_t count = slots.count();
  bool means_it = (encoding == MySlotsEncoding::Empty && count == 0) ||
                  (encoding == MySlotsEncoding::Full && count == kSlotCount);
  if (means_it) return MySlots(encoding, {}, count);
  Bytes bytes;
  // Roaring's empty bitmap has no container; the reader wants exactly one.
  if (encoding == MySlotsEncoding::Roaring && count > 0) bytes = encode_roaring(slots);
  if (encoding == MySlotsEncoding::Gaps) bytes = encode_gaps(slots);
  if (bytes.empty() || bytes.size() > kSlotBitmapBytes) {
    return MySlots(MySlotsEncoding::Raw, encode_raw(slots), count);
  }
  return MySlots(encoding, bytes, count);
}

Result<MySlots> MySlots::parse(uint8_t tag, ByteView bytes) {
  if (tag >= kNames.size()) {
    return make_error(ErrorCode::Corrupt, "myslots: unknown encoding {}", tag);
  }
  auto encoding = static_cast<MySlotsEncoding>(tag);
  if (bytes.size() > kSlotBitmapBytes) {
    return make_error(ErrorCode::TooLarge, "myslots: {} bytes, the limit is {}", bytes.size(),
                      kSlotBitmapBytes);
  }
  std::optional<SlotSet> slots = decode_bytes(encoding, bytes);
  if (!slots) {
    return make_error(ErrorCode::Corrupt, "myslots: {} bytes that are not {}", bytes.size(),
                      encoding_name(encoding));
  }
  return MySlots(encoding, bytes, slots->count());
}

SlotSet MySlots::decode() const {
  std::optional<SlotSet> slots = decode_bytes(encoding_, bytes());
  SLOT_ASSERT(slots.has_value());
  return *slots;
}

}  // namespace slotd
