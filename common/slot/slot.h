#pragma once

#include <cstdint>
#include <string_view>

#include "common/base/bytes.h"
#include "common/base/limits.h"

namespace slotd {

// A hash slot, 0 … 16383. Values from outside are checked where they are parsed.
using Slot = uint16_t;

// Slots `first` to `last`, both included; first <= last < kSlotCount.
struct SlotRange {
  Slot first;
  Slot last;

  friend bool operator==(const SlotRange&, const SlotRange&) = default;
};

// CRC-16/XMODEM: polynomial 0x1021, initial value 0, not reflected, no final xor ("123456789" gives
// 0x31c3). Redis Cluster specification, appendix A.
uint16_t crc16(ByteView bytes);

// The part of a key that is hashed: between the first '{' and the first '}' after it when at least
// one byte lies between them, the whole key otherwise. Redis Cluster specification, "Hash tags".
// Any bytes.
std::string_view hash_tag(std::string_view key);

// crc16(hash_tag(key)) mod 16384.
Slot key_slot(std::string_view key);

}  // namespace slotd
