#include "daemon/client/command_table.h"

#include <algorithm>
#include <cctype>

namespace slotd {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
}

constexpr size_t kLongestName = 32;

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::string to_upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), upper);
  return result;
}

void find_keys(const CommandSpec& spec, std::span<const std::string_view> args,
               std::vector<std::string_view>& keys) {
  if (spec.find_keys != nullptr) return spec.find_keys(args, keys);
  if (spec.first_key == 0) return;
  int count = static_cast<int>(args.size());
  int last = spec.last_key < 0 ? count + spec.last_key : spec.last_key;
  for (int i = spec.first_key; i <= last && i < count; i += spec.key_step) {
    keys.push_back(args[static_cast<size_t>(i)]);
  }
}

const CommandTable& CommandTable::get() {
  static const CommandTable table;
  return table;
}

CommandTable::CommandTable() {
  for (auto family : {string_commands, counter_commands, key_commands, expiry_commands,
                      scan_commands, transaction_commands, connection_commands, client_commands,
                      server_commands, command_commands, cluster_commands, migrate_commands}) {
    for (const CommandSpec& spec : family()) all_.push_back(&spec);
  }
  by_name_ = all_;
  std::sort(by_name_.begin(), by_name_.end(),
            [](const CommandSpec* a, const CommandSpec* b) { return a->name < b->name; });
}

const CommandSpec* CommandTable::find(std::string_view name) const {
  char buffer[kLongestName];
  if (name.size() > sizeof buffer) return nullptr;
  std::transform(name.begin(), name.end(), buffer, lower);
  std::string_view wanted(buffer, name.size());
  auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), wanted,
      [](const CommandSpec* spec, std::string_view text) { return spec->name < text; });
  return found != by_name_.end() && (*found)->name == wanted ? *found : nullptr;
}

const CommandSpec* CommandTable::find_sub(const CommandSpec& parent, std::string_view name) {
  for (const CommandSpec& sub : parent.subcommands) {
    if (equals_ignoring_case(sub.name.substr(parent.name.size() + 1), name)) return &sub;
  }
  return nullptr;
}

}  // namespace slotd
