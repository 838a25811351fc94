#include "common/text/info_fields.h"

namespace slotd {

std::map<std::string, std::string> parse_info_fields(std::string_view text) {
  std::map<std::string, std::string> fields;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    fields[std::string(line.substr(0, colon))] = line.substr(colon + 1);
  }
  return fields;
}

}  // namespace slotd
