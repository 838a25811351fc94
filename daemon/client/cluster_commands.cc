// CLUSTER subcommands about nodes and the whole, and READONLY, READWRITE, ASKING.
#include <uv.h>

#include <algorithm>

#include "common/text/cluster_info_text.h"
#include "common/text/links_reply.h"
#include "common/text/nodes_text.h"
#include "common/text/shards_reply.h"
#include "common/text/slots_reply.h"
#include "daemon/client/bus_traffic.h"
#include "daemon/client/client_session.h"
#include "daemon/client/cluster_arguments.h"
#include "daemon/client/command_table.h"

namespace slotd {
namespace {

bool is_ip_literal(const std::string& text) {
  sockaddr_storage storage{};
  return uv_ip4_addr(text.c_str(), 0, reinterpret_cast<sockaddr_in*>(&storage)) == 0 ||
         uv_ip6_addr(text.c_str(), 0, reinterpret_cast<sockaddr_in6*>(&storage)) == 0;
}

constexpr int64_t kBusPortOffset = 10000;  // as Redis has it
constexpr int64_t kMaxPort = 65535;

void meet(Call& call) {
  int64_t port = 0;
  int64_t bus_port = 0;
  if (call.size() > 5) return call.reply.error(reply::wrong_arguments("cluster|meet"));
  if (!parse_integer(call.args[3], port)) {
    return call.reply.error(fmt::format("ERR Invalid TCP base port specified: {}", call.args[3]));
  }
  bool given = call.size() == 5;
  if (given && !parse_integer(call.args[4], bus_port)) {
    return call.reply.error(fmt::format("ERR Invalid TCP bus port specified: {}", call.args[4]));
  }
  std::string ip(call.args[2]);
  bool fine = is_ip_literal(ip) && port > 0 && port <= kMaxPort;
  if (!given) bus_port = fine ? port + kBusPortOffset : 0;
  if (!fine || bus_port <= 0 || bus_port > kMaxPort) {
    return call.reply.error(
        fmt::format("ERR Invalid node address specified: {}:{}", ip, call.args[3]));
  }
  apply_command(call,
                MeetCommand{ip, static_cast<uint16_t>(port), static_cast<uint16_t>(bus_port)});
}

void forget(Call& call) {
  NodeId node;
  if (read_node_id(call, 2, node)) apply_command(call, ForgetCommand{node});
}

void nodes(Call& call) {
  auto view = call.context.node.view();
  auto links = call.context.node.links();
  call.reply.verbatim(format_nodes_text(*view, links, call.context.unix_offset()));
}

void slots(Call& call) {
  call.reply.raw(call.context.topology.get(TopologyCache::Kind::Slots, call.reply.version(),
                                           *call.context.node.view(), call.session.local().ip,
                                           write_slots_reply));
}

void shards(Call& call) {
  call.reply.raw(call.context.topology.get(TopologyCache::Kind::Shards, call.reply.version(),
                                           *call.context.node.view(), call.session.local().ip,
                                           write_shards_reply));
}

void info(Call& call) {
  auto counts = bus_counts(call.context.node.traffic());
  call.reply.verbatim(
      cluster_info_text(*call.context.node.view(), counts, call.context.node.save_error()));
}

void links(Call& call) {
  write_links_reply(call.reply, call.context.node.links(), call.context.unix_offset());
}

void heartbeats(Call& call) {
  write_heartbeats_reply(call.reply, heartbeat_rows(call.context.node));
}

void myid(Call& call) {
  call.reply.bulk(call.context.node.view()->myself.hex());
}

// A shard is a master and its replicas; it is named after the master.
void myshardid(Call& call) {
  auto view = call.context.node.view();
  const NodeRecord& self = *view->self().record;
  call.reply.bulk((self.role == NodeRole::Replica ? self.master : self.id).hex());
}

// Null, and the error answered, when no member has this id.
const Member* named_member(Call& call, const ClusterView& view) {
  NodeId id;
  if (!read_node_id(call, 2, id)) return nullptr;
  const Member* member = view.find(id);
  if (member == nullptr) call.reply.error(fmt::format("ERR Unknown node {}", call.args[2]));
  return member;
}

// Counted are votes, of which there is one a master, and only while the suspicion is open.
void count_failure_reports(Call& call) {
  auto view = call.context.node.view();
  const Member* member = named_member(call, *view);
  if (member == nullptr) return;
  const auto* suspicion = call.context.node.state().suspicions().find(member->record->id);
  call.reply.integer(suspicion == nullptr ? 0 : static_cast<int64_t>(suspicion->vote_count));
}

void replicas(Call& call) {
  auto view = call.context.node.view();
  const Member* master = named_member(call, *view);
  if (master == nullptr) return;
  if (master->record->role != NodeRole::Master) {
    return call.reply.error("ERR The specified node is not a master");
  }
  auto node_links = call.context.node.links();
  std::vector<std::string> lines;
  std::string text = format_nodes_text(*view, node_links, call.context.unix_offset());
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    NodeId id;
    const Member* member =
        NodeId::parse(line.substr(0, 2 * kNodeIdBytes), id) ? view->find(id) : nullptr;
    bool follows = member != nullptr && member->record->role == NodeRole::Replica &&
                   member->record->master == master->record->id;
    if (follows) lines.emplace_back(line);
  }
  call.reply.array(lines.size());
  for (const std::string& line : lines) call.reply.bulk(line);
}

void set_config_epoch(Call& call) {
  int64_t epoch = 0;
  if (!call.integer(2, epoch)) return;
  if (epoch < 0) {
    return call.reply.error(fmt::format("ERR Invalid config epoch specified: {}", epoch));
  }
  apply_command(call, SetConfigEpochCommand{{static_cast<uint64_t>(epoch)}});
}

void bumpepoch(Call& call) {
  uint64_t before = call.context.node.view()->self().record->config_epoch.value;
  Result<void> done = call.context.node.apply(BumpEpochCommand{}, call.context.now());
  if (!done.ok()) return call.reply.error("ERR " + done.error().message);
  uint64_t after = call.context.node.view()->self().record->config_epoch.value;
  size_t output_before = call.session.output_bytes();
  call.reply.simple(fmt::format("{} {}", after == before ? "STILL" : "BUMPED", after));
  call.session.promise(output_before);
}

void reset(Call& call) {
  bool hard = call.size() == 3 && equals_ignoring_case(call.args[2], "HARD");
  bool soft = call.size() == 2 || (call.size() == 3 && equals_ignoring_case(call.args[2], "SOFT"));
  if (!hard && !soft) return call.reply.error(reply::kSyntax);
  apply_command(call, ResetCommand{hard, call.store().size() > 0});
}

void saveconfig(Call& call) {
  apply_command(call, SaveConfigCommand{});
}

void set_readonly(Call& call) {
  call.session.state().readonly = true;
  call.reply.ok();
}
void set_readwrite(Call& call) {
  call.session.state().readonly = false;
  call.reply.ok();
}
void asking(Call& call) {
  call.session.state().asking = true;
  call.reply.ok();
}

constexpr auto kGroup = CommandGroup::Cluster;
constexpr uint32_t kAsk = kLoading | kStale;
constexpr uint32_t kOrder = kAdmin | kStale;
namespace on = cluster_handlers;

constexpr CommandSpec kCluster[] = {
    {"cluster|addslots", -3, kOrder, 0, 0, 0, kGroup, on::addslots},
    {"cluster|addslotsrange", -4, kOrder, 0, 0, 0, kGroup, on::addslotsrange},
    {"cluster|bumpepoch", 2, kOrder, 0, 0, 0, kGroup, bumpepoch},
    {"cluster|count-failure-reports", 3, kAdmin | kStale, 0, 0, 0, kGroup, count_failure_reports},
    {"cluster|countkeysinslot", 3, kStale, 0, 0, 0, kGroup, on::countkeysinslot},
    {"cluster|delslots", -3, kOrder, 0, 0, 0, kGroup, on::delslots},
    {"cluster|delslotsrange", -4, kOrder, 0, 0, 0, kGroup, on::delslotsrange},
    {"cluster|flushslots", 2, kOrder, 0, 0, 0, kGroup, on::flushslots},
    {"cluster|forget", 3, kOrder, 0, 0, 0, kGroup, forget},
    {"cluster|getkeysinslot", 4, kStale, 0, 0, 0, kGroup, on::getkeysinslot},
    {"cluster|heartbeats", 2, kAsk, 0, 0, 0, kGroup, heartbeats},
    {"cluster|help", 2, kAsk, 0, 0, 0, kGroup, on::help},
    {"cluster|info", 2, kAsk, 0, 0, 0, kGroup, info},
    {"cluster|keyslot", 3, kStale, 0, 0, 0, kGroup, on::keyslot},
    {"cluster|links", 2, kAsk, 0, 0, 0, kGroup, links},
    {"cluster|meet", -4, kOrder, 0, 0, 0, kGroup, meet},
    {"cluster|myid", 2, kAsk, 0, 0, 0, kGroup, myid},
    {"cluster|myshardid", 2, kAsk, 0, 0, 0, kGroup, myshardid},
    {"cluster|nodes", 2, kAsk, 0, 0, 0, kGroup, nodes},
    {"cluster|replicas", 3, kAdmin | kStale, 0, 0, 0, kGroup, replicas},
    {"cluster|reset", -2, kOrder | kNoScript, 0, 0, 0, kGroup, reset},
    {"cluster|saveconfig", 2, kOrder, 0, 0, 0, kGroup, saveconfig},
    {"cluster|set-config-epoch", 3, kOrder, 0, 0, 0, kGroup, set_config_epoch},
    {"cluster|setslot", -4, kOrder, 0, 0, 0, kGroup, on::setslot},
    {"cluster|shards", 2, kAsk, 0, 0, 0, kGroup, shards},
    {"cluster|slaves", 3, kAdmin | kStale, 0, 0, 0, kGroup, replicas},
    {"cluster|slots", 2, kAsk, 0, 0, 0, kGroup, slots},
};

constexpr CommandSpec kCommands[] = {
    {"cluster", -2, 0, 0, 0, 0, kGroup, nullptr, kCluster},
    {"readonly", 1, kAsk | kFast, 0, 0, 0, CommandGroup::Connection, set_readonly},
    {"readwrite", 1, kAsk | kFast, 0, 0, 0, CommandGroup::Connection, set_readwrite},
    {"asking", 1, kFast, 0, 0, 0, CommandGroup::Connection, asking},
};

}  // namespace

std::span<const CommandSpec> cluster_commands() {
  return kCommands;
}

}  // namespace slotd
