#pragma once

#include <span>
#include <string_view>

#include "daemon/client/command.h"

namespace slotd {

// The families, one file each.
std::span<const CommandSpec> string_commands();
std::span<const CommandSpec> counter_commands();
std::span<const CommandSpec> key_commands();
std::span<const CommandSpec> expiry_commands();
std::span<const CommandSpec> scan_commands();
std::span<const CommandSpec> transaction_commands();
std::span<const CommandSpec> connection_commands();
std::span<const CommandSpec> client_commands();
std::span<const CommandSpec> server_commands();
std::span<const CommandSpec> command_commands();
std::span<const CommandSpec> cluster_commands();
std::span<const CommandSpec> migrate_commands();

// The one table of commands.
class CommandTable {
 public:
  static const CommandTable& get();

  // By name, in any case; null when there is none.
  const CommandSpec* find(std::string_view name) const;
  // The subcommand that `name` names, in any case; null when there is none.
  static const CommandSpec* find_sub(const CommandSpec& parent, std::string_view name);
  // In the order of the families.
  std::span<const CommandSpec* const> all() const { return all_; }

 private:
  CommandTable();

  std::vector<const CommandSpec*> all_;
  std::vector<const CommandSpec*> by_name_;  // sorted
};

}  // namespace slotd
