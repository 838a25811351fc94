#include "cli/agreement.h"
#include "cli/commands/commands.h"
#include "cli/plan/even_split.h"
#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

// A node may become part of a new cluster when it is in none and holds nothing.
Result<void> check_blank(ClusterClient& client, const Endpoint& node) {
  Result<Topology> topology = client.topology(node);
  if (!topology) return topology.error();
  if (topology->nodes.size() > 1) {
    return make_error(ErrorCode::Refused, "{} is in a cluster of {} nodes already", node.text(),
                      topology->nodes.size());
  }
  if (!topology->myself().slots.empty()) {
    return make_error(ErrorCode::Refused, "{} has slots {} already", node.text(),
                      format_slot_ranges(topology->myself().slots));
  }
  Result<Reply> size = client.demand(node, {"DBSIZE"});
  if (!size) return size.error();
  if (size->number > 0) {
    return make_error(ErrorCode::Refused, "{} holds {} keys", node.text(), size->number);
  }
  return {};
}

Result<void> prepare(ClusterClient& client, const Endpoint& node, size_t epoch, SlotRange range) {
  // An epoch that is set already is as good: epochs only have to exist.
  Result<Reply> numbered =
      client.demand(node, {"CLUSTER", "SET-CONFIG-EPOCH", fmt::format("{}", epoch)});
  if (!numbered && numbered.error().code == ErrorCode::Unavailable) return numbered.error();
  Result<Reply> given = client.demand(
      node,
      {"CLUSTER", "ADDSLOTSRANGE", fmt::format("{}", range.first), fmt::format("{}", range.last)});
  if (!given) return given.error();
  return {};
}

Result<void> create(ClusterClient& client, const std::vector<Endpoint>& nodes,
                    std::chrono::milliseconds timeout) {
  std::vector<SlotRange> ranges = even_split(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    Result<void> prepared = prepare(client, nodes[i], i + 1, ranges[i]);
    if (!prepared) return prepared;
  }
  for (size_t i = 1; i < nodes.size(); ++i) {
    Result<Reply> met = client.demand(
        nodes[i], {"CLUSTER", "MEET", nodes[0].host, fmt::format("{}", nodes[0].port)});
    // A bus on another port than the usual one has to be named.
    Result<Topology> first = client.topology(nodes[0]);
    if (!first) return first.error();
    uint16_t bus_port = first->myself().address.bus_port;
    if (met && bus_port != nodes[0].port + 10000) {
      met =
          client.demand(nodes[i], {"CLUSTER", "MEET", nodes[0].host,
                                   fmt::format("{}", nodes[0].port), fmt::format("{}", bus_port)});
    }
    if (!met) return met.error();
  }
  return wait_for_agreement(client, nodes, nodes.size(), true, timeout);
}

ExitCode run(const Cli& cli, const std::vector<std::string>& names) {
  std::vector<Endpoint> nodes;
  for (const std::string& name : names) {
    Result<Endpoint> node = parse_endpoint(name);
    if (!node) return cli.fail(node.error());
    nodes.push_back(*node);
  }
  ClusterClient client(nodes.front(), cli.connect_options());
  for (const Endpoint& node : nodes) {
    Result<void> blank = check_blank(client, node);
    if (!blank) return cli.fail(blank.error());
  }
  std::vector<SlotRange> ranges = even_split(nodes.size());
  Json plan = Json::array();
  Table table({"node", "slots", "count"});
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::string text = fmt::format("{}-{}", ranges[i].first, ranges[i].last);
    table.add({nodes[i].text(), text, fmt::format("{}", ranges[i].last - ranges[i].first + 1)});
    plan.push_back({{"node", nodes[i].text()}, {"slots", text}});
  }
  cli.printer().say(table.text());
  ExitCode code = ExitCode::Done;
  if (cli.confirmed("Create this cluster?", code)) {
    Result<void> created =
        create(client, nodes, std::max(cli.timeout(), std::chrono::milliseconds(30000)));
    if (!created) {
      cli.printer().note("Slots and epochs may be set: CLUSTER RESET on each node undoes it.");
      cli.fail(created.error());
      return ExitCode::Partial;
    }
    cli.printer().say(fmt::format("{} nodes agree: the cluster serves.", nodes.size()));
  }
  cli.printer().document({{"nodes", plan}, {"created", code == ExitCode::Done}});
  return code;
}

}  // namespace

void add_create(CLI::App& app, Cli& cli) {
  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* command = cli.command(
      app, "create", "Make a cluster of blank daemons, slots split evenly",
      "slotctl create 127.0.0.1:7000 127.0.0.1:7001 127.0.0.1:7002",
      [&cli, names] { return run(cli, *names); });
  command->add_option("nodes", *names, "host:port of each")->required();
  cli.changes(command);
}

}  // namespace slotd
