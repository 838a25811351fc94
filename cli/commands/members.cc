#include "cli/agreement.h"
#include "cli/commands/commands.h"
#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

std::vector<Endpoint> endpoints(const ClusterClient& client, const Topology& topology) {
  std::vector<Endpoint> all;
  for (const NodeLine& node : topology.nodes) {
    if (!node.failed && !node.handshake) all.push_back(client.endpoint_of(node));
  }
  return all;
}

ExitCode add_node(const Cli& cli, const std::string& name) {
  Result<Endpoint> fresh = parse_endpoint(name);
  if (!fresh) return cli.fail(fresh.error());
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> cluster = client->topology();
  if (!cluster) return cli.fail(cluster.error());
  Result<Topology> stranger = client->topology(*fresh);
  if (!stranger) return cli.fail(stranger.error());
  if (stranger->nodes.size() > 1) {
    return cli.fail(make_error(ErrorCode::Refused, "{} is in a cluster of {} nodes already", name,
                               stranger->nodes.size()));
  }
  ExitCode code = ExitCode::Done;
  if (!cli.confirmed(fmt::format("Add {} to the cluster of {} nodes?", name, cluster->nodes.size()),
                     code)) {
    return code;
  }
  const NodeAddress& to = cluster->myself().address;
  Endpoint known = client->endpoint_of(cluster->myself());
  Result<Reply> met =
      client->demand(*fresh, {"CLUSTER", "MEET", known.host, fmt::format("{}", known.port),
                              fmt::format("{}", to.bus_port)});
  if (!met) return cli.fail(met.error());
  std::vector<Endpoint> all = endpoints(*client, *cluster);
  all.push_back(*fresh);
  Result<void> agreed =
      wait_for_agreement(*client, all, cluster->nodes.size() + 1, false,
                         std::max(cli.timeout(), std::chrono::milliseconds(15000)));
  if (!agreed) return cli.fail(agreed.error());
  cli.printer().say(
      fmt::format("{} is a member, known to all {}. It owns no slots yet.", name, all.size()));
  cli.printer().document({{"added", name}, {"members", all.size()}});
  return code;
}

ExitCode forget(const Cli& cli, const std::string& name, bool force) {
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> cluster = client->topology();
  if (!cluster) return cli.fail(cluster.error());
  Result<const NodeLine*> gone = cluster->find(name);
  if (!gone) return cli.fail(gone.error());
  if (!(*gone)->slots.empty() && !force) {
    return cli.fail(make_error(ErrorCode::Refused,
                               "{} owns slots {}: migrate them first, or --force", name,
                               format_slot_ranges((*gone)->slots)));
  }
  ExitCode code = ExitCode::Done;
  if (!cli.confirmed(fmt::format("Remove {} for good?", (*gone)->id.hex()), code)) return code;
  size_t told = 0;
  for (const NodeLine& node : cluster->nodes) {
    if (node.id == (*gone)->id || node.failed) continue;
    Result<Reply> done = client->demand(node, {"CLUSTER", "FORGET", (*gone)->id.hex()});
    // Between slotd nodes the removal may have come round before we did.
    bool known_already = !done && done.error().message.find("Unknown node") != std::string::npos;
    if (!done && !known_already) return cli.fail(done.error());
    ++told;
  }
  cli.printer().say(fmt::format("{} is removed, {} nodes were told.", (*gone)->id.hex(), told));
  cli.printer().document({{"removed", (*gone)->id.hex()}, {"told", told}});
  return code;
}

}  // namespace

void add_members(CLI::App& app, Cli& cli) {
  auto name = std::make_shared<std::string>();
  auto force = std::make_shared<bool>(false);
  CLI::App* add =
      cli.command(app, "add-node", "Bring a blank daemon into the cluster",
                  "slotctl add-node 127.0.0.1:7003", [&cli, name] { return add_node(cli, *name); });
  add->add_option("node", *name, "host:port of the new one")->required();
  cli.changes(add);
  CLI::App* remove = cli.command(app, "forget", "Remove a node from the cluster for good",
                                 "slotctl forget 127.0.0.1:7003",
                                 [&cli, name, force] { return forget(cli, *name, *force); });
  remove->add_option("node", *name, "Id, start of an id, or host:port")->required();
  remove->add_flag("--force", *force, "Even if it owns slots, which are then unassigned");
  cli.changes(remove);
}

}  // namespace slotd
