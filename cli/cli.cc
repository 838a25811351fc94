#include "cli/cli.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/local_cluster.h"

namespace slotd {

CLI::App* Cli::command(CLI::App& parent, const std::string& name, const std::string& what,
                       const std::string& example, std::function<ExitCode()> run) {
  CLI::App* app = parent.add_subcommand(name, what);
  app->footer("Example:\n  " + example);
  app->add_option("-a,--address", address_,
                  "Any live node, host:port (default: the local cluster)");
  app->add_flag("--json", json_, "One JSON document on stdout");
  app->add_flag("--color", colour_, "Colours even where stdout is no terminal");
  app->add_option("--password", password_, "Password of the nodes")->envname("SLOTCTL_PASSWORD");
  app->add_option("--timeout", timeout_ms_,
                  "Milliseconds to wait for a node (5000), or for agreement (15000)")
      ->check(CLI::Range(int64_t{1}, int64_t{24} * 3600 * 1000));
  app->callback([this, run] { ending = run(); });
  return app;
}

void Cli::changes(CLI::App* command) {
  command->add_flag("--dry-run", dry_run_, "Show what would be done, and do nothing");
  command->add_flag("-y,--yes", yes_, "Do it without asking");
}

ConnectOptions Cli::connect_options() const { return {timeout(), password_}; }

Result<ClusterClient> Cli::client() const {
  if (address_) {
    Result<Endpoint> endpoint = parse_endpoint(*address_);
    if (!endpoint) return endpoint.error();
    return ClusterClient(*endpoint, connect_options());
  }
  auto local = LocalCluster::load(LocalCluster::default_directory());
  if (local) {
    if (auto node = local->first_running()) {
      return ClusterClient({"127.0.0.1", node->port}, connect_options());
    }
  }
  return ClusterClient({"127.0.0.1", 7000}, connect_options());
}

ExitCode Cli::fail(const Error& error) const {
  printer().note("slotctl: " + error.message);
  printer().document({{"error", error.message}});
  switch (error.code) {
    case ErrorCode::Unavailable: return ExitCode::Unreachable;
    case ErrorCode::InvalidArgument:
    case ErrorCode::OutOfRange:
    case ErrorCode::NotFound:
    case ErrorCode::Conflict:
    case ErrorCode::Refused: return ExitCode::Refused;
    default: return ExitCode::Failed;
  }
}

bool Cli::confirmed(const std::string& question, ExitCode& code) const {
  if (dry_run_) {
    code = ExitCode::Done;
    return false;
  }
  if (yes_) return true;
  if (isatty(STDIN_FILENO) == 0) {
    printer().note("slotctl: " + question + " Not asked, since this is no terminal: say --yes.");
    code = ExitCode::Refused;
    return false;
  }
  fmt::print(stderr, "{} [y/N] ", question);
  std::string answer;
  std::getline(std::cin, answer);
  code = ExitCode::Refused;
  return answer == "y" || answer == "yes";
}

}  // namespace slotd
