// slotctl: the manual is cli/README.md, and --help of each command.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string_view>

#include "cli/commands/commands.h"

namespace {

// For what cannot be parsed: the option may stand behind the mistake.
bool wants_json(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc,
                     [](std::string_view word) { return word == "--json"; });
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::error_code failed;
  auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  slotd::Cli cli(failed ? argv[0] : program.string());
  CLI::App app{"Starts, shows and changes hash-slot clusters: slotd, Redis and Valkey"};
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 failed, 2 refused or wrong usage, 3 stopped half way,\n"
      "4 a node does not answer, 5 problems found.");
  slotd::add_local(app, cli);
  slotd::add_create(app, cli);
  slotd::add_members(app, cli);
  slotd::add_assign(app, cli);
  slotd::add_nodes(app, cli);
  slotd::add_map(app, cli);
  slotd::add_slot(app, cli);
  slotd::add_heartbeats(app, cli);
  slotd::add_migrate(app, cli);
  slotd::add_check(app, cli);
  slotd::add_wait(app, cli);
  slotd::add_simulate(app, cli);
  slotd::add_words(app, cli);
  slotd::add_demo(app, cli);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    int code = app.exit(error);
    if (code == 0) return 0;
    slotd::Printer(wants_json(argc, argv)).document({{"error", error.what()}});
    return static_cast<int>(slotd::ExitCode::Refused);
  }
  return static_cast<int>(cli.ending);
}
