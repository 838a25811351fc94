#pragma once

#include <map>
#include <string>
#include <string_view>

namespace slotd {

// The "name:value" lines of INFO and CLUSTER INFO; section headings and blank lines are left out.
std::map<std::string, std::string> parse_info_fields(std::string_view text);

}  // namespace slotd
