#include "common/resp/number.h"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace slotd {

bool parse_integer(std::string_view text, int64_t& out) {
  if (text.empty()) return false;
  std::string_view digits = text.front() == '-' ? text.substr(1) : text;
  if (digits.empty()) return false;
  bool leading_zero = digits.front() == '0' && text.size() > 1;
  if (leading_zero) return false;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  return problem == std::errc{} && end == text.data() + text.size();
}

bool parse_real(std::string_view text, long double& out) {
  if (text.empty() || text.size() > 255 || std::isspace(static_cast<unsigned char>(text.front()))) {
    return false;
  }
  std::string terminated(text);
  char* end = nullptr;
  errno = 0;
  out = std::strtold(terminated.c_str(), &end);
  if (end != terminated.c_str() + terminated.size()) return false;
  if (errno == ERANGE && (out == 0 || std::isinf(out))) return false;
  return !std::isnan(out);
}

std::string format_real(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{:.17g}", value);
}

std::string format_real_plain(long double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{:.17f}", value);
  size_t last = text.find_last_not_of('0');
  text.erase(text[last] == '.' ? last : last + 1);
  return text == "-0" ? "0" : text;
}

}  // namespace slotd
