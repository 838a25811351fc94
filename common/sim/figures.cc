#include "common/sim/figures.h"

#include <malloc.h>

#include <algorithm>

#include "common/wire/frame.h"

namespace slotd {
namespace {

// Fresh records of `nodes` masters with even ranges, as a node that knows them all keeps them.
double measure_view_bytes(size_t nodes) {
  size_t before = mallinfo2().uordblks;
  Membership membership;
  Rng rng(nodes);
  for (size_t i = 0; i < nodes; ++i) {
    auto address = NodeAddress{SimNetwork::ip_of(static_cast<SimNode>(i)), 7000, 17000, {}};
    auto record = std::make_shared<NodeRecord>(fresh_identity(rng.next(), address).self);
    record->config_epoch = {i + 1};
    record->slots = MySlots::encode(even_share(i, nodes));
    membership.merge(MemberNews{record, false}, 0);
  }
  size_t after = mallinfo2().uordblks;
  return after <= before ? 0 : static_cast<double>(after - before) / static_cast<double>(nodes);
}

class Measurement {
 public:
  explicit Measurement(const FigureOptions& options)
      : options_(options), cluster_(cluster_options(options)) {
    figures_.nodes = options.nodes;
    cluster_.network().on_send = [this](ByteView frame) { count(frame); };
  }

  Figures run() {
    figures_.view_bytes_per_member = measure_view_bytes(options_.nodes);
    cluster_.start_formed();
    cluster_.run_until([this] { return all_serve(); }, limit());
    cluster_.run_for(3 * cluster_.options().config.heartbeat_interval());
    count_idle();
    change_slots();
    SimNode victim = static_cast<SimNode>(options_.nodes / 3);
    fail(victim);
    come_back(victim);
    fail_many();
    join();
    return figures_;
  }

 private:
  static SimOptions cluster_options(const FigureOptions& options) {
    SimOptions all;
    all.nodes = options.nodes;
    all.seed = options.seed;
    all.config.node_timeout = options.node_timeout;
    all.shortest_delay = all.longest_delay = options.delay;
    all.keep_history = false;
    return all;
  }

  void count(ByteView frame) {
    auto kind = static_cast<size_t>(kind_of_frame(frame));
    figures_.all[kind].add(frame.size());
    if (idle_) figures_.idle[kind].add(frame.size());
  }

  Duration limit() const { return 6 * options_.node_timeout; }
  const ClusterState& state(SimNode node) { return cluster_.node(node).state(); }

  template <typename Predicate>
  bool all_running(Predicate holds) {
    for (SimNode node = 0; node < cluster_.size(); ++node) {
      if (cluster_.up(node) && !holds(state(node))) return false;
    }
    return true;
  }
  bool all_serve() {
    return cluster_.converged() &&
           all_running([](const ClusterState& node) { return node.standing() == Standing::Ok; });
  }

  std::optional<Duration> until(const std::function<bool()>& known, Duration step) {
    Instant start = cluster_.world().now();
    if (!cluster_.run_until(known, limit(), step)) return std::nullopt;
    return cluster_.world().now() - start;
  }

  void count_idle() {
    idle_ = true;
    cluster_.run_for(options_.idle);
    idle_ = false;
    figures_.idle_seconds = static_cast<double>(to_ms(options_.idle)) / 1000;
    size_t links = 0;
    all_running([&](const ClusterState& node) {
      for (const LinkStatus& link : node.links()) links += link.connected;
      return true;
    });
    figures_.links_per_node = static_cast<double>(links) / static_cast<double>(cluster_.size());
  }

  void change_slots() {
    SimNode target = static_cast<SimNode>(options_.nodes / 2);
    NodeId owner = cluster_.id(target);
    options_.moved.for_each([&](Slot slot) {
      (void)cluster_.apply(target, SetSlotNodeCommand{slot, owner, false});
    });
    auto known = [&](const ClusterState& node) {
      const Membership& members = node.membership();
      SlotSet of_target = members.slots().slots_of(members.member(owner)->index);
      return (options_.moved - of_target).empty();
    };
    figures_.slot_change = until([&] { return all_running(known); }, milliseconds(1));
    cluster_.run_for(seconds(1));
  }

  bool all_hold_failed(const NodeId& id, bool failed) {
    return all_running([&](const ClusterState& node) {
      return node.membership().member(id)->failed == failed;
    });
  }

  void fail(SimNode victim) {
    NodeId id = cluster_.id(victim);
    cluster_.crash(victim);
    figures_.failure = until([&] { return all_hold_failed(id, true); }, milliseconds(10));
  }

  void come_back(SimNode victim) {
    NodeId id = cluster_.id(victim);
    cluster_.restart(victim);
    figures_.comeback =
        until([&] { return all_hold_failed(id, false) && all_serve(); }, milliseconds(5));
    cluster_.run_for(seconds(1));
  }

  void fail_many() {
    auto share = static_cast<size_t>(options_.killed_share * static_cast<double>(options_.nodes));
    std::vector<NodeId> killed;
    std::vector<SimNode> victims(options_.nodes);
    for (SimNode node = 0; node < victims.size(); ++node) victims[node] = node;
    Rng rng(options_.seed);
    for (size_t i = 0; i < share; ++i) {
      std::swap(victims[i], victims[i + rng.below(victims.size() - i)]);
      killed.push_back(cluster_.id(victims[i]));
      cluster_.crash(victims[i]);
    }
    victims.resize(share);
    figures_.killed = share;
    auto holds_all = [&](const ClusterState& node) {
      return std::all_of(killed.begin(), killed.end(), [&](const NodeId& id) {
        return node.membership().member(id)->failed;
      });
    };
    figures_.mass_failure =
        until([&] { return cluster_.converged() && all_running(holds_all); }, milliseconds(10));
    for (SimNode node : victims) cluster_.restart(node);
    cluster_.run_until([this] { return all_serve(); }, limit());
    cluster_.run_for(seconds(1));
  }

  void join() {
    SimNode fresh = cluster_.add();
    cluster_.start(fresh);
    (void)cluster_.apply(fresh, MeetCommand{SimNetwork::ip_of(0), 7000, 17000});
    NodeId id = cluster_.id(fresh);
    auto known = [&](const ClusterState& node) {
      return node.membership().member(id) != nullptr &&
             node.membership().member_count() == cluster_.size();
    };
    figures_.join = until([&] { return all_running(known); }, milliseconds(1));
  }

  FigureOptions options_;
  SimCluster cluster_;
  Figures figures_;
  bool idle_ = false;
};

}  // namespace

void MessageFigures::add(size_t frame_bytes) {
  ++messages;
  bytes += frame_bytes;
  largest = std::max(largest, frame_bytes);
}

double Figures::idle_bytes_per_node_second() const {
  uint64_t bytes = 0;
  for (const MessageFigures& kind : idle) bytes += kind.bytes;
  return static_cast<double>(bytes) / static_cast<double>(nodes) / idle_seconds;
}

double Figures::heartbeat_mean() const {
  const MessageFigures& heartbeats = idle[static_cast<size_t>(MessageKind::Heartbeat)];
  if (heartbeats.messages == 0) return 0;
  return static_cast<double>(heartbeats.bytes) / static_cast<double>(heartbeats.messages);
}

size_t Figures::largest_message() const {
  size_t largest = 0;
  for (const MessageFigures& kind : all) largest = std::max(largest, kind.largest);
  return largest;
}

Figures measure_figures(const FigureOptions& options) {
  return Measurement(options).run();
}

}  // namespace slotd
