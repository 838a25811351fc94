#pragma once

#include "cli/cli.h"

namespace slotd {

// One a file; each adds its subcommand (or a group of them).
void add_local(CLI::App& app, Cli& cli);
void add_create(CLI::App& app, Cli& cli);
void add_members(CLI::App& app, Cli& cli);
void add_assign(CLI::App& app, Cli& cli);
void add_nodes(CLI::App& app, Cli& cli);
void add_map(CLI::App& app, Cli& cli);
void add_slot(CLI::App& app, Cli& cli);
void add_heartbeats(CLI::App& app, Cli& cli);
void add_check(CLI::App& app, Cli& cli);
void add_wait(CLI::App& app, Cli& cli);
void add_migrate(CLI::App& app, Cli& cli);
void add_simulate(CLI::App& app, Cli& cli);
void add_words(CLI::App& app, Cli& cli);
void add_demo(CLI::App& app, Cli& cli);

}  // namespace slotd
