#pragma once

#include <cstdint>
#include <string_view>

namespace slotd {

// A 32-bit FNV-1 variant that caches in Java made common: multiply and xor byte by byte, five
// rounds of shifts at the end, then the absolute value. Arithmetic is signed, 32 bits, and
// wraps; >> keeps the sign.
int32_t fnv1_32(std::string_view text);

// The absolute value; of the smallest number, which has none, the largest.
int32_t absolute(int32_t value);

}  // namespace slotd
