#include "common/sim/sim_cluster.h"

#include "common/wire/state_file.h"

namespace slotd {

Result<void> SimStore::save(ByteView state) {
  if (full) return Error{ErrorCode::Io, "no space left on the simulated disk"};
  if (!keep_history) versions.clear();
  versions.emplace_back(state.begin(), state.end());
  return {};
}

SlotSet even_share(size_t part, size_t parts) {
  size_t first = part * kSlotCount / parts;
  size_t end = (part + 1) * kSlotCount / parts;
  if (first == end) return {};
  return SlotSet::of({static_cast<Slot>(first), static_cast<Slot>(end - 1)});
}

// One machine: its disk, its clock, and the daemon on it while it runs.
struct SimCluster::Machine : public Transport, public SimReceiver {
  Machine(SimCluster& owner, SimNode me) : cluster(owner), number(me) {}

  void dial(LinkId link, const std::string& ip, uint16_t) override {
    cluster.network_.dial(number, link, SimNetwork::node_of(ip));
  }
  void send(LinkId link, ByteView frame) override { cluster.network_.send(number, link, frame); }
  void close(LinkId link) override { cluster.network_.close(number, link); }

  void on_accept(LinkId link, const std::string& remote_ip) override {
    perform([this, link, remote_ip] { node->on_accept(link, remote_ip, local()); });
  }
  void on_link_up(LinkId link) override {
    perform([this, link] { node->on_link_up(link, local()); });
  }
  void on_bytes(LinkId link, const Bytes& bytes) override {
    perform([this, link, bytes] { node->on_bytes(link, bytes, local()); });
  }
  void on_link_down(LinkId link) override {
    perform([this, link] { node->on_link_down(link, local()); });
  }

  // A paused machine's events wait in its kernel.
  void perform(std::function<void()> event) {
    if (node == nullptr) return;
    if (is_paused) {
      waiting.push_back(std::move(event));
      return;
    }
    event();
    cluster.done(number);
  }
  Instant local() const { return cluster.local_now(number); }

  SimCluster& cluster;
  SimNode number;
  SimStore store;
  std::unique_ptr<Node> node;
  NodeId id;
  bool is_paused = false;
  std::vector<std::function<void()>> waiting;
  int64_t drift = 0;  // parts per thousand
  uint64_t life = 0;  // counts starts, so that events of an earlier life find nobody
  Instant next_wake{};
};

SimCluster::SimCluster(SimOptions options)
    : options_(std::move(options)), rng_(options_.seed), network_(world_, rng_.next()) {
  network_.set_delay(options_.shortest_delay, options_.longest_delay);
  for (size_t i = 0; i < options_.nodes; ++i) add();
}

SimCluster::~SimCluster() = default;

SimNode SimCluster::add() {
  auto number = static_cast<SimNode>(nodes_.size());
  nodes_.push_back(std::make_unique<Machine>(*this, number));
  Machine& machine = *nodes_.back();
  machine.drift =
      options_.clock_drift == 0 ? 0 : rng_.between(-options_.clock_drift, options_.clock_drift);
  machine.store.keep_history = options_.keep_history;
  return number;
}

Instant SimCluster::local_now(SimNode node) const {
  Duration since = world_.now().time_since_epoch();
  return Instant(since + since * nodes_[node]->drift / 1000);
}

void SimCluster::start(SimNode node) {
  NodeAddress address{SimNetwork::ip_of(node), 7000, 17000, {}};
  launch(node, fresh_identity(rng_.next(), address));
}

void SimCluster::start_with(SimNode node, const PersistentState& state) {
  launch(node, state);
}

void SimCluster::launch(SimNode number, PersistentState state) {
  Machine& machine = *nodes_[number];
  SLOT_ASSERT(machine.node == nullptr);
  ++machine.life;
  machine.is_paused = false;
  machine.waiting.clear();
  machine.id = state.self.id;
  network_.attach(number, &machine);
  machine.node =
      std::make_unique<Node>(options_.config, std::move(state), rng_.next(), machine.local(),
                             machine, machine.store, [this, number](const ClusterEvent& event) {
                               if (on_log) on_log(number, event);
                             });
  machine.next_wake = {};
  done(number);
}

void SimCluster::crash(SimNode node) {
  Machine& machine = *nodes_[node];
  if (machine.node == nullptr) return;
  ++machine.life;
  machine.node.reset();
  machine.waiting.clear();
  network_.detach(node);
}

void SimCluster::restart(SimNode node, size_t versions_back) {
  Machine& machine = *nodes_[node];
  if (machine.node != nullptr || machine.store.versions.empty()) return;
  std::vector<Bytes>& versions = machine.store.versions;
  Result<PersistentState> state = decode_state(versions.back());
  SLOT_ASSERT(state.ok());
  ClusterId cluster = state->cluster;
  for (; versions_back > 0 && versions.size() > 1; --versions_back) {
    // A state from before it joined is another node's past: only a meeting brings that one in.
    Result<PersistentState> older = decode_state(versions[versions.size() - 2]);
    if (!older || older->cluster != cluster || older->members.empty()) break;
    versions.pop_back();
    state = std::move(older);
  }
  SLOT_ASSERT(state.ok());
  launch(node, *std::move(state));
}

void SimCluster::pause(SimNode node) {
  nodes_[node]->is_paused = true;
}

void SimCluster::resume(SimNode node) {
  Machine& machine = *nodes_[node];
  if (!machine.is_paused) return;
  machine.is_paused = false;
  if (machine.node == nullptr) return;
  // The timer that ran out meanwhile fires before anything is read.
  machine.node->tick(machine.local());
  done(node);
  for (auto& event : std::exchange(machine.waiting, {})) machine.perform(std::move(event));
}

bool SimCluster::up(SimNode node) const {
  return nodes_[node]->node != nullptr;
}
bool SimCluster::paused(SimNode node) const {
  return nodes_[node]->is_paused;
}
uint64_t SimCluster::life(SimNode node) const {
  return nodes_[node]->life;
}
Node& SimCluster::node(SimNode node) {
  return *nodes_[node]->node;
}
SimStore& SimCluster::store(SimNode node) {
  return nodes_[node]->store;
}
NodeId SimCluster::id(SimNode node) const {
  return nodes_[node]->node != nullptr ? nodes_[node]->node->state().id() : nodes_[node]->id;
}

std::optional<SimNode> SimCluster::find(const NodeId& id) const {
  for (SimNode n = 0; n < nodes_.size(); ++n) {
    if (this->id(n) == id) return n;
  }
  return std::nullopt;
}

Result<void> SimCluster::apply(SimNode node, const AdminCommand& command) {
  Machine& machine = *nodes_[node];
  if (machine.node == nullptr || machine.is_paused) {
    return Error{ErrorCode::Unavailable, "the node does not answer"};
  }
  Result<void> result = machine.node->apply(command, machine.local());
  done(node);
  return result;
}

void SimCluster::set_full_disk(SimNode node, bool full) {
  nodes_[node]->store.full = full;
}

void SimCluster::done(SimNode node) {
  if (nodes_[node]->node == nullptr) return;
  schedule_wake(node);
  if (after_event) after_event(node);
}

void SimCluster::schedule_wake(SimNode number) {
  Machine& machine = *nodes_[number];
  // Deadlines are on the node's clock; a drift of a few parts in a thousand shifts a wake by no
  // more.
  Duration wait = machine.node->next_deadline() - machine.local();
  Instant wake = world_.now() + std::max<Duration>(wait, Duration(100));
  if (machine.next_wake > world_.now() && machine.next_wake <= wake) return;
  machine.next_wake = wake;
  uint64_t life = machine.life;
  world_.at(wake, [this, number, life, wake] {
    Machine& sleeper = *nodes_[number];
    if (sleeper.life != life || sleeper.next_wake != wake || sleeper.is_paused) return;
    sleeper.node->tick(sleeper.local());
    done(number);
  });
}

void SimCluster::start_formed() {
  std::vector<PersistentState> states;
  ClusterId cluster = fresh_identity(rng_.next(), {}).cluster;
  size_t n = nodes_.size();
  for (SimNode i = 0; i < n; ++i) {
    NodeAddress address{SimNetwork::ip_of(i), 7000, 17000, {}};
    PersistentState state = fresh_identity(rng_.next(), address);
    state.cluster = cluster;
    state.current_epoch = {n};
    state.self.config_epoch = {i + 1};
    state.self.slots = MySlots::encode(even_share(i, n));
    states.push_back(std::move(state));
  }
  // The others know each by the version that it takes when it starts.
  std::vector<NodeRecord> records;
  for (const PersistentState& state : states) {
    records.push_back(state.self);
    records.back().version = state.self.version.next();
  }
  for (SimNode i = 0; i < n; ++i) {
    PersistentState state = states[i];
    for (SimNode other = 0; other < n; ++other) {
      if (other != i) state.members.push_back(records[other]);
    }
    launch(i, std::move(state));
  }
}

bool SimCluster::form(Duration limit) {
  size_t n = nodes_.size();
  for (SimNode i = 0; i < n; ++i) {
    if (!up(i)) start(i);
    (void)apply(i, SetConfigEpochCommand{{i + 1}});
    (void)apply(i, AddSlotsCommand{even_share(i, n)});
  }
  for (SimNode i = 1; i < n; ++i) (void)apply(i, MeetCommand{SimNetwork::ip_of(0), 7000, 17000});
  return run_until(
      [&] {
        for (SimNode i = 0; i < n; ++i) {
          if (node(i).state().membership().member_count() != n) return false;
          if (node(i).state().standing() != Standing::Ok) return false;
        }
        return converged();
      },
      limit);
}

bool SimCluster::run_until(const std::function<bool()>& done_now, Duration limit, Duration step) {
  Instant end = world_.now() + limit;
  while (!done_now()) {
    if (world_.now() >= end) return false;
    run_for(step);
  }
  return true;
}

bool SimCluster::converged() const {
  std::optional<uint64_t> digest;
  for (const auto& machine : nodes_) {
    if (machine->node == nullptr || machine->is_paused) continue;
    uint64_t own = machine->node->state().membership().digest();
    if (digest && *digest != own) return false;
    digest = own;
  }
  return true;
}

}  // namespace slotd
