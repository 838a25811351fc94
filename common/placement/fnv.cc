#include "common/placement/fnv.h"

#include <limits>

namespace slotd {
namespace {

// Shifts of a signed number as Java has them, without C++'s undefined overflow.
uint32_t shifted_right(uint32_t value, int bits) {
  return static_cast<uint32_t>(static_cast<int32_t>(value) >> bits);
}

}  // namespace

int32_t absolute(int32_t value) {
  if (value == std::numeric_limits<int32_t>::min()) return std::numeric_limits<int32_t>::max();
  return value < 0 ? -value : value;
}

int32_t fnv1_32(std::string_view text) {
  uint32_t hash = 2166136261u;
  for (char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  hash += hash << 13;
  hash ^= shifted_right(hash, 7);
  hash += hash << 3;
  hash ^= shifted_right(hash, 17);
  hash += hash << 5;
  return absolute(static_cast<int32_t>(hash));
}

}  // namespace slotd
