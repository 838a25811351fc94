#include <thread>

#include "cli/commands/commands.h"
#include "cli/heartbeat_table.h"

namespace slotd {
namespace {

struct Options {
  bool all = false;
  bool watch = false;
  double interval = 1;
};

Result<std::vector<HeartbeatRow>> collect(ClusterClient& client, bool all) {
  if (!all) return read_heartbeats(client, client.seed());
  Result<Topology> topology = client.topology();
  if (!topology) return topology.error();
  std::vector<HeartbeatRow> rows;
  for (const NodeLine& node : topology->nodes) {
    if (node.failed || node.handshake) continue;
    Result<std::vector<HeartbeatRow>> some = read_heartbeats(client, client.endpoint_of(node));
    if (!some) return some.error();
    rows.insert(rows.end(), some->begin(), some->end());
  }
  return rows;
}

ExitCode run(const Cli& cli, const Options& options) {
  if (options.watch && cli.printer().json()) {
    return cli.fail({ErrorCode::InvalidArgument, "--json is one document: not with --watch"});
  }
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  while (true) {
    Result<std::vector<HeartbeatRow>> rows = collect(*client, options.all);
    if (!rows) return cli.fail(rows.error());
    if (options.watch && cli.printer().colour()) cli.printer().say("\x1b[H\x1b[2J");
    cli.printer().say(heartbeat_table(*rows));
    cli.printer().document({{"heartbeats", heartbeat_json(*rows)}});
    if (!options.watch) return ExitCode::Done;
    std::this_thread::sleep_for(std::chrono::duration<double>(options.interval));
  }
}

}  // namespace

void add_heartbeats(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = cli.command(
      app, "heartbeats", "Show heartbeats: counts, framed sizes, and how slots were encoded",
      "slotctl heartbeats --all --watch", [&cli, options] { return run(cli, *options); });
  command->add_flag("--all", options->all, "Ask every node");
  command->add_flag("--watch", options->watch, "Again and again");
  command->add_option("--interval", options->interval, "Seconds between looks")
      ->check(CLI::PositiveNumber);
}

}  // namespace slotd
