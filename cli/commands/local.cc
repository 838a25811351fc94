#include "cli/commands/commands.h"
#include "cli/local_cluster.h"

namespace slotd {
namespace {

struct Options {
  size_t count = 3;
  std::string directory = LocalCluster::default_directory();
  uint16_t port = 0;
  std::string program;
  bool forget = false;
  std::vector<std::string> extra;
};

// slotd stands beside slotctl, where the build and the installation put both.
std::string program_of(const Cli& cli, const Options& options) {
  if (!options.program.empty()) return options.program;
  return cli.program().substr(0, cli.program().rfind('/') + 1) + "slotd";
}

Json describe(const LocalCluster& cluster) {
  Json daemons = Json::array();
  for (const LocalCluster::Daemon& daemon : cluster.daemons()) {
    daemons.push_back({{"port", daemon.port},
                       {"bus_port", daemon.bus_port},
                       {"pid", daemon.pid},
                       {"running", daemon.running()},
                       {"directory", daemon.directory}});
  }
  return {{"directory", cluster.directory()}, {"daemons", daemons}};
}

void show(const Printer& printer, const LocalCluster& cluster) {
  Table table({"port", "bus", "pid", "state", "directory"});
  for (const LocalCluster::Daemon& daemon : cluster.daemons()) {
    table.add({fmt::format("{}", daemon.port), fmt::format("{}", daemon.bus_port),
               fmt::format("{}", daemon.pid), daemon.running() ? "running" : "stopped",
               daemon.directory});
  }
  printer.say(table.text());
  printer.document(describe(cluster));
}

ExitCode start(const Cli& cli, const Options& options) {
  auto cluster = LocalCluster::start(options.directory, options.count, options.port,
                                     program_of(cli, options), options.extra);
  if (!cluster) return cli.fail(cluster.error());
  show(cli.printer(), *cluster);
  std::string all;
  for (const LocalCluster::Daemon& daemon : cluster->daemons()) {
    all += fmt::format(" 127.0.0.1:{}", daemon.port);
  }
  cli.printer().say(
      "They are strangers to each other still. Make them a cluster:\n  slotctl create" + all +
      "\n");
  return ExitCode::Done;
}

ExitCode status(const Cli& cli, const Options& options) {
  auto cluster = LocalCluster::load(options.directory);
  if (!cluster) return cli.fail(cluster.error());
  show(cli.printer(), *cluster);
  return ExitCode::Done;
}

ExitCode stop(const Cli& cli, const Options& options) {
  auto cluster = LocalCluster::load(options.directory);
  if (!cluster) return cli.fail(cluster.error());
  Result<size_t> stopped = cluster->stop(options.forget);
  if (!stopped) return cli.fail(stopped.error());
  cli.printer().say(fmt::format("{} daemons stopped{}", *stopped,
                                options.forget ? ", their directories removed" : ""));
  cli.printer().document({{"stopped", *stopped}, {"removed", options.forget}});
  return ExitCode::Done;
}

ExitCode restart(const Cli& cli, const Options& options) {
  auto cluster = LocalCluster::load(options.directory);
  if (!cluster) return cli.fail(cluster.error());
  Result<void> done = cluster->restart(program_of(cli, options), options.extra);
  if (!done) return cli.fail(done.error());
  show(cli.printer(), *cluster);
  return ExitCode::Done;
}

}  // namespace

void add_local(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* local = app.add_subcommand("local", "Daemons on this machine, to try things with");
  local->require_subcommand(1);
  auto with_directory = [&](CLI::App* command) {
    command->add_option("--dir", options->directory, "Where they live");
  };
  CLI::App* begin =
      cli.command(*local, "start", "Start daemons on free ports and remember them",
                  "slotctl local start -n 3", [&cli, options] { return start(cli, *options); });
  begin->add_option("-n,--nodes", options->count, "How many")->check(CLI::Range(1, 1000));
  begin->add_option("--port", options->port, "First port (default: free ones)");
  begin->add_option("--slotd", options->program, "The slotd to run");
  begin->add_option("directives", options->extra, "More slotd directives, after --");
  with_directory(begin);
  CLI::App* end = cli.command(*local, "stop", "Stop them", "slotctl local stop --delete",
                              [&cli, options] { return stop(cli, *options); });
  end->add_flag("--delete", options->forget, "Remove their directories too");
  with_directory(end);
  with_directory(cli.command(*local, "status", "Show them", "slotctl local status --json",
                             [&cli, options] { return status(cli, *options); }));
  CLI::App* again =
      cli.command(*local, "restart", "Start again those that do not run", "slotctl local restart",
                  [&cli, options] { return restart(cli, *options); });
  again->add_option("--slotd", options->program, "The slotd to run");
  again->add_option("directives", options->extra, "More slotd directives, after --");
  with_directory(again);
}

}  // namespace slotd
