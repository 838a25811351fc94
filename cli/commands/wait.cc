#include "cli/agreement.h"
#include "cli/commands/commands.h"

namespace slotd {
namespace {

ExitCode run(const Cli& cli) {
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> topology = client->topology();
  if (!topology) return cli.fail(topology.error());
  std::vector<Endpoint> nodes;
  for (const NodeLine& node : topology->nodes) {
    if (!node.failed && !node.handshake) nodes.push_back(client->endpoint_of(node));
  }
  Result<void> agreed =
      wait_for_agreement(*client, nodes, topology->member_count(), true,
                         cli.agreement_timeout(std::chrono::seconds(15)));
  if (!agreed) {
    cli.fail(agreed.error());
    return ExitCode::ProblemsFound;
  }
  cli.printer().say(fmt::format("{} nodes agree and serve.", nodes.size()));
  cli.printer().document({{"agree", true}, {"nodes", nodes.size()}});
  return ExitCode::Done;
}

}  // namespace

void add_wait(CLI::App& app, Cli& cli) {
  cli.command(app, "wait", "Return when every node has the same map and serves",
              "slotctl wait --timeout 10000", [&cli] { return run(cli); });
}

}  // namespace slotd
