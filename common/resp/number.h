#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slotd {

// A signed 64-bit decimal in the one form that prints back to the same text: no blanks, no plus
// sign, no leading zeros. What Redis accepts as an integer.
[[nodiscard]] bool parse_integer(std::string_view text, int64_t& out);

// A finite or infinite number as Redis accepts it for INCRBYFLOAT and the like; blanks and NaN are
// refused.
[[nodiscard]] bool parse_real(std::string_view text, long double& out);

// 17 significant digits, then without trailing zeros: "3.1", "inf".
std::string format_real(double value);
// As INCRBYFLOAT prints: 17 digits after the point, trailing zeros dropped, never an exponent.
std::string format_real_plain(long double value);

}  // namespace slotd
