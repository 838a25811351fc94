#include "cli/printer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace slotd {
namespace {

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.,%x-+ kMGB") == std::string::npos &&
         cell.find_first_of("0123456789") != std::string::npos;
}

}  // namespace

std::string Table::text() const {
  std::vector<size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      // A heading stands over its column the way the column does.
      const std::string& model = &row == &rows_.front() && rows_.size() > 1 ? rows_[1][i] : row[i];
      line += is_number(model) ? fmt::format("{:>{}}  ", row[i], widths[i])
                               : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

void Printer::say(const std::string& text) const {
  if (!json_) fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
  std::fflush(stdout);
}

void Printer::document(const Json& value) const {
  if (json_) fmt::print("{}\n", json_text(value));
}

void Printer::note(const std::string& text) const { fmt::print(stderr, "{}\n", text); }

void Printer::progress(const std::string& text) const {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
}

bool Printer::colour() const {
  return !json_ && (forced_colour_ || isatty(STDOUT_FILENO) != 0);
}

std::string json_text(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string short_number(double value) {
  constexpr const char* kUnits[] = {"", " k", " M", " G"};
  size_t unit = 0;
  for (; value >= 10000 && unit < 3; ++unit) value /= 1000;
  return unit == 0 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}{}", value, kUnits[unit]);
}

}  // namespace slotd
