#include <algorithm>

#include "cli/commands/commands.h"
#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

std::string state_of(const NodeLine& node) {
  if (node.failed) return "fail";
  if (node.suspect) return "fail?";
  if (node.handshake) return "handshake";
  if (node.noaddr) return "noaddr";
  return node.connected || node.myself ? "ok" : "disconnected";
}

std::string shortened(const std::string& text) {
  constexpr size_t kWidth = 40;
  return text.size() <= kWidth ? text : text.substr(0, kWidth - 1) + "…";
}

ExitCode run(const Cli& cli) {
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> topology = client->topology();
  if (!topology) return cli.fail(topology.error());
  std::vector<NodeLine> nodes = topology->nodes;
  std::stable_sort(nodes.begin(), nodes.end(), [](const NodeLine& a, const NodeLine& b) {
    return a.slots.next(0) < b.slots.next(0);
  });
  Table table({"node", "address", "bus", "role", "state", "epoch", "count", "slots"});
  Json list = Json::array();
  for (const NodeLine& node : nodes) {
    std::string address = fmt::format("{}:{}", node.address.ip, node.address.port);
    std::string slots = format_slot_ranges(node.slots);
    table.add({node.id.short_hex() + (node.myself ? "*" : ""), address,
               fmt::format("{}", node.address.bus_port), node.replica ? "replica" : "master",
               state_of(node), fmt::format("{}", node.config_epoch),
               fmt::format("{}", node.slots.count()), shortened(slots)});
    list.push_back({{"id", node.id.hex()},
                    {"address", address},
                    {"bus_port", node.address.bus_port},
                    {"role", node.replica ? "replica" : "master"},
                    {"state", state_of(node)},
                    {"config_epoch", node.config_epoch},
                    {"slot_count", node.slots.count()},
                    {"slots", slots},
                    {"asked", node.myself}});
  }
  cli.printer().say(table.text());
  cli.printer().document({{"nodes", list}});
  return ExitCode::Done;
}

}  // namespace

void add_nodes(CLI::App& app, Cli& cli) {
  cli.command(app, "nodes", "Show the members (* was asked)", "slotctl nodes -a 127.0.0.1:7000",
              [&cli] { return run(cli); });
}

}  // namespace slotd
