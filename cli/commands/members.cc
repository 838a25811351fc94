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
    cli.printer().document({{"node", name}, {"added", false}});
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
      wait_for_agreement(*client, all, cluster->member_count() + 1, false,
                         cli.agreement_timeout(std::chrono::seconds(15)));
  if (!agreed) {
    cli.fail(agreed.error());
    cli.printer().note(fmt::format("{} was told to join; slotctl wait shows when it has.", name));
    return ExitCode::Partial;
  }
  cli.printer().say(
      fmt::format("{} is a member, known to all {}. It owns no slots yet.", name, all.size()));
  cli.printer().document({{"node", name}, {"added", true}, {"members", all.size()}});
  return code;
}

// Redis keeps a node for as long as one member remembers it, so each is told, and who was not is
// named.
ExitCode tell_all(const Cli& cli, ClusterClient& client, const Topology& cluster,
                  const NodeLine& gone) {
  size_t told = 0;
  std::string untold;
  for (const NodeLine& node : cluster.nodes) {
    if (node.id == gone.id || node.failed || node.handshake) continue;
    Result<Reply> done = client.demand(node, {"CLUSTER", "FORGET", gone.id.hex()});
    // Between slotd nodes the removal may have come round before we did.
    bool known_already =
        !done && done.error().message.find("Unknown node") != std::string::npos;
    if (done || known_already) {
      ++told;
    } else {
      untold += (untold.empty() ? "" : "; ") + done.error().message;
    }
  }
  Json result = {{"node", gone.id.hex()}, {"removed", untold.empty()}, {"told", told}};
  if (!untold.empty()) result["error"] = untold;
  cli.printer().say(fmt::format("{} is removed, {} nodes were told.", gone.id.hex(), told));
  cli.printer().document(result);
  if (untold.empty()) return ExitCode::Done;
  cli.printer().note(
      fmt::format("slotctl: not told: {}. The same command goes on from here.", untold));
  return told == 0 ? ExitCode::Failed : ExitCode::Partial;
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
  std::string id = (*gone)->id.hex();
  if (!cli.confirmed(fmt::format("Remove {} for good?", id), code)) {
    cli.printer().document({{"node", id}, {"removed", false}});
    return code;
  }
  return tell_all(cli, *client, *cluster, **gone);
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
