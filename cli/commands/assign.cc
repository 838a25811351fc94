#include "cli/commands/commands.h"
#include "common/slot/slot_ranges.h"
#include "common/text/info_fields.h"

namespace slotd {
namespace {

std::vector<std::string> range_command(const std::string& verb, const SlotSet& slots) {
  std::vector<std::string> command = {"CLUSTER", verb};
  for (SlotRange range : slots.ranges()) {
    command.push_back(fmt::format("{}", range.first));
    command.push_back(fmt::format("{}", range.last));
  }
  return command;
}

// Named before anything is sent: who owns slots that somebody else is to get, or to lose.
Result<void> check_owners(const Topology& topology, const SlotSet& slots, const NodeLine* allowed) {
  std::string taken;
  for (const NodeLine& node : topology.nodes) {
    SlotSet owned = slots & node.slots;
    if (&node == allowed || owned.empty()) continue;
    taken += fmt::format("{}slots {} belong to {}:{} ({})", taken.empty() ? "" : "; ",
                         format_slot_ranges(owned), node.address.ip, node.address.port,
                         node.id.short_hex());
  }
  if (taken.empty()) return {};
  return Error{ErrorCode::Conflict, taken};
}

// The owner gives its slots up. A Redis node that heard of an owner keeps it in mind until it is
// told itself; slotd's merge rule (a record that drops a slot unassigns it) makes that needless.
Result<void> take(ClusterClient& client, const Topology& topology, const SlotSet& owned) {
  for (const NodeLine& node : topology.nodes) {
    SlotSet part = owned & node.slots;
    if (part.empty()) continue;
    Result<Reply> done = client.demand(node, range_command("DELSLOTSRANGE", part));
    if (!done) return done.error();
    Result<Reply> info = client.demand(node, {"CLUSTER", "INFO"});
    if (!info) return info.error();
    if (parse_info_fields(info->text).contains("cluster_view_digest")) continue;
    for (const NodeLine& other : topology.nodes) {
      if (other.id == node.id || other.failed || other.handshake) continue;
      // One that has not heard of the owner yet refuses, and is right already.
      (void)client.demand(other, range_command("DELSLOTSRANGE", part));
    }
  }
  return {};
}

ExitCode assign(const Cli& cli, const std::string& ranges, const std::string& to) {
  Result<SlotSet> slots = parse_slot_ranges(ranges);
  if (!slots) return cli.fail(slots.error());
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> topology = client->topology();
  if (!topology) return cli.fail(topology.error());
  Result<const NodeLine*> node = topology->find(to);
  if (!node) return cli.fail(node.error());
  Result<void> free = check_owners(*topology, *slots, *node);
  if (!free) return cli.fail(free.error());
  SlotSet fresh = *slots - (*node)->slots;
  ExitCode code = ExitCode::Done;
  std::string what = fmt::format("{} slots to {}:{}", fresh.count(), (*node)->address.ip,
                                 (*node)->address.port);
  if (!fresh.empty() && cli.confirmed(fmt::format("Assign {}?", what), code)) {
    Result<Reply> done = client->demand(**node, range_command("ADDSLOTSRANGE", fresh));
    if (!done) return cli.fail(done.error());
    cli.printer().say(fmt::format("Assigned {}.", what));
  }
  cli.printer().document({{"slots", format_slot_ranges(fresh)}, {"to", (*node)->id.hex()}});
  return code;
}

ExitCode unassign(const Cli& cli, const std::string& ranges) {
  Result<SlotSet> slots = parse_slot_ranges(ranges);
  if (!slots) return cli.fail(slots.error());
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> topology = client->topology();
  if (!topology) return cli.fail(topology.error());
  SlotSet owned = *slots & topology->assigned();
  ExitCode code = ExitCode::Done;
  if (!owned.empty() &&
      cli.confirmed(fmt::format("Unassign {} slots? Their keys become unreachable.", owned.count()),
                    code)) {
    Result<void> done = take(*client, *topology, owned);
    if (!done) {
      cli.fail(done.error());
      cli.printer().note("Some slots may be unassigned; the same command goes on from there.");
      return ExitCode::Partial;
    }
    cli.printer().say(fmt::format("Unassigned {} slots.", owned.count()));
  }
  cli.printer().document({{"slots", format_slot_ranges(owned)}});
  return code;
}

}  // namespace

void add_assign(CLI::App& app, Cli& cli) {
  auto ranges = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>();
  CLI::App* give = cli.command(app, "assign", "Give slots that nobody owns to a node",
                               "slotctl assign 0-99,200 --to 127.0.0.1:7000",
                               [&cli, ranges, to] { return assign(cli, *ranges, *to); });
  give->add_option("slots", *ranges, "Slots, as 0-99,200")->required();
  give->add_option("--to", *to, "Id, start of an id, or host:port")->required();
  cli.changes(give);
  CLI::App* take = cli.command(app, "unassign", "Take slots from whoever owns them",
                               "slotctl unassign 0-99 --yes",
                               [&cli, ranges] { return unassign(cli, *ranges); });
  take->add_option("slots", *ranges, "Slots, as 0-99,200")->required();
  cli.changes(take);
}

}  // namespace slotd
