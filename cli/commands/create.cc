#include <map>

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

// The first's bus is named to the others only where it is not on the usual port: older servers take
// no third word.
Result<std::vector<std::string>> meet_command(ClusterClient& client, const Endpoint& first) {
  Result<Topology> topology = client.topology(first);
  if (!topology) return topology.error();
  std::vector<std::string> command = {"CLUSTER", "MEET", first.host, fmt::format("{}", first.port)};
  uint16_t bus_port = topology->myself().address.bus_port;
  if (bus_port != first.port + 10000) command.push_back(fmt::format("{}", bus_port));
  return command;
}

// Slots that were given before anybody met anybody can be taken back; all else needs a reset.
std::string take_back(ClusterClient& client, const std::vector<Endpoint>& nodes,
                      const std::vector<SlotRange>& ranges, size_t prepared) {
  std::string left;
  for (size_t i = 0; i < prepared; ++i) {
    Result<Reply> taken =
        client.demand(nodes[i], {"CLUSTER", "DELSLOTSRANGE", fmt::format("{}", ranges[i].first),
                                 fmt::format("{}", ranges[i].last)});
    if (!taken) left += " " + nodes[i].text();
  }
  return left.empty() ? "nothing is left behind but config epochs"
                      : "slots stay at" + left + ": CLUSTER RESET there undoes it";
}

Result<void> create(ClusterClient& client, const std::vector<Endpoint>& nodes,
                    const std::vector<SlotRange>& ranges, std::chrono::milliseconds timeout) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    Result<void> prepared = prepare(client, nodes[i], i + 1, ranges[i]);
    if (prepared) continue;
    return make_error(prepared.error().code, "{}; {}", prepared.error().message,
                      take_back(client, nodes, ranges, i));
  }
  Result<std::vector<std::string>> meet = meet_command(client, nodes.front());
  if (!meet) return meet.error();
  Result<void> result;
  for (size_t i = 1; i < nodes.size() && result; ++i) {
    Result<Reply> met = client.demand(nodes[i], *meet);
    if (!met) result = met.error();
  }
  if (result) result = wait_for_agreement(client, nodes, nodes.size(), true, timeout);
  if (result) return {};
  return make_error(result.error().code,
                    "{}; slots and epochs are set, and some have met: wait with slotctl wait, or "
                    "undo with CLUSTER RESET on each node",
                    result.error().message);
}

// Everything that stands against it, so that one run finds all of it.
Result<void> check_all_blank(ClusterClient& client, const std::vector<Endpoint>& nodes) {
  if (nodes.size() > kSlotCount) {
    return make_error(ErrorCode::OutOfRange, "{} nodes, but only {} slots", nodes.size(),
                      kSlotCount);
  }
  std::string wrong;
  ErrorCode code = ErrorCode::Refused;
  std::map<std::string, Endpoint> ids;
  for (const Endpoint& node : nodes) {
    Result<void> blank = check_blank(client, node);
    if (!blank) {
      wrong += (wrong.empty() ? "" : "; ") + blank.error().message;
      code = blank.error().code;
      continue;
    }
    Result<Topology> topology = client.topology(node);
    if (!topology) return topology.error();
    auto [same, fresh] = ids.emplace(topology->myself().id.hex(), node);
    if (!fresh) {
      wrong += fmt::format("{}{} and {} are one node", wrong.empty() ? "" : "; ",
                           same->second.text(), node.text());
    }
  }
  if (wrong.empty()) return {};
  return Error{code, wrong};
}

ExitCode run(const Cli& cli, const std::vector<std::string>& names) {
  std::vector<Endpoint> nodes;
  for (const std::string& name : names) {
    Result<Endpoint> node = parse_endpoint(name);
    if (!node) return cli.fail(node.error());
    nodes.push_back(*node);
  }
  ClusterClient client(nodes.front(), cli.connect_options());
  Result<void> blank = check_all_blank(client, nodes);
  if (!blank) return cli.fail(blank.error());
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
  bool made = false;
  if (cli.confirmed("Create this cluster?", code)) {
    Result<void> created =
        create(client, nodes, ranges, cli.agreement_timeout(std::chrono::seconds(30)));
    if (!created) {
      cli.fail(created.error());
      return ExitCode::Partial;
    }
    made = true;
    cli.printer().say(fmt::format("{} nodes agree: the cluster serves.", nodes.size()));
  }
  cli.printer().document({{"nodes", plan}, {"created", made}});
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
