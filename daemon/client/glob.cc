#include "daemon/client/glob.h"

#include <utility>

namespace slotd {
namespace {

char fold(char c, bool ignore_case) {
  return ignore_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

// One character against the pattern at `at`, which is moved behind what it used.
bool match_class(std::string_view pattern, size_t& at, char c, bool ignore_case) {
  bool negated = at < pattern.size() && pattern[at] == '^';
  if (negated) ++at;
  bool found = false;
  while (at < pattern.size() && pattern[at] != ']') {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    char low = fold(pattern[at++], ignore_case);
    char high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-') {
      high = fold(pattern[at + 1], ignore_case);
      at += 2;
    }
    if (low > high) std::swap(low, high);
    found = found || (low <= c && c <= high);
  }
  if (at < pattern.size()) ++at;
  return found != negated;
}

bool match_one(std::string_view pattern, size_t& at, char c, bool ignore_case) {
  c = fold(c, ignore_case);
  char p = pattern[at++];
  if (p == '?') return true;
  if (p == '[') return match_class(pattern, at, c, ignore_case);
  if (p == '\\' && at < pattern.size()) p = pattern[at++];
  return fold(p, ignore_case) == c;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text, bool ignore_case) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;  // behind the last '*'
  size_t retry = 0;                      // where it is tried next
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      retry = t;
      continue;
    }
    if (p < pattern.size() && match_one(pattern, p, text[t], ignore_case)) {
      ++t;
      continue;
    }
    if (star == std::string_view::npos) return false;
    p = star;
    t = ++retry;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace slotd
