#include "cli/commands/commands.h"
#include "cli/slot_picture.h"
#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

ExitCode run(const Cli& cli) {
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> topology = client->topology();
  if (!topology) return cli.fail(topology.error());
  cli.printer().say(slot_picture(*topology, cli.printer().colour()));
  Json owners = Json::array();
  for (const NodeLine& node : topology->nodes) {
    if (node.slots.empty()) continue;
    Json ranges = Json::array();
    for (SlotRange range : node.slots.ranges()) ranges.push_back({range.first, range.last});
    owners.push_back({{"id", node.id.hex()},
                      {"address", fmt::format("{}:{}", node.address.ip, node.address.port)},
                      {"count", node.slots.count()},
                      {"ranges", ranges}});
  }
  cli.printer().document(
      {{"owners", owners},
       {"unassigned", format_slot_ranges(SlotSet::full() - topology->assigned())}});
  return ExitCode::Done;
}

}  // namespace

void add_map(CLI::App& app, Cli& cli) {
  cli.command(app, "map", "Show who owns which slots, as ranges and as a picture", "slotctl map",
              [&cli] { return run(cli); });
}

}  // namespace slotd
