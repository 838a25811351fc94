#pragma once

#include <string_view>

namespace slotd {

// Redis' patterns: '*', '?', [abc], [^a], [a-z], and '\' for a literal. Linear but for '*', of
// which only the last is ever tried again, so no pattern is expensive.
bool glob_match(std::string_view pattern, std::string_view text, bool ignore_case = false);

}  // namespace slotd
