#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/node/node.h"
#include "common/sim/sim_network.h"

namespace slotd {

// A disk that holds one blob, and every blob it ever held.
class SimStore : public StateStore {
 public:
  Result<void> save(ByteView state) override;

  bool full = false;
  std::vector<Bytes> versions;  // oldest first; the last is on disk
  // Kept when the history is not asked for, so that long runs of many nodes fit into memory.
  bool keep_history = true;
};

struct SimOptions {
  size_t nodes = 3;
  uint64_t seed = 1;
  ClusterConfig config;
  Duration shortest_delay = milliseconds(1);
  Duration longest_delay = milliseconds(1);
  bool keep_history = true;
  // How far clocks may run apart, in parts per thousand.
  int clock_drift = 0;
};

// The `part`-th of `parts` contiguous ranges that are as even as can be; may be empty.
SlotSet even_share(size_t part, size_t parts);

// Many real Nodes in one process on virtual time. The operator's side of it: start, stop, crash,
// pause, cut, and command nodes.
class SimCluster {
 public:
  explicit SimCluster(SimOptions options);
  ~SimCluster();

  SimWorld& world() { return world_; }
  SimNetwork& network() { return network_; }
  const SimNetwork& network() const { return network_; }
  size_t size() const { return nodes_.size(); }
  const SimOptions& options() const { return options_; }

  // Nodes start with fresh identities, strangers to each other.
  void start(SimNode node);
  // Brings up a node with this state instead, as if it had been a member before.
  void start_with(SimNode node, const PersistentState& state);
  // Adds a machine, not started.
  SimNode add();
  void crash(SimNode node);
  // From its disk; `versions_back` > 0 restores an older state file.
  void restart(SimNode node, size_t versions_back = 0);
  void pause(SimNode node);
  void resume(SimNode node);
  bool up(SimNode node) const;  // running, paused or not
  bool paused(SimNode node) const;
  // Counts its starts and crashes.
  uint64_t life(SimNode node) const;

  Node& node(SimNode node);
  SimStore& store(SimNode node);
  NodeId id(SimNode node) const;
  std::optional<SimNode> find(const NodeId& id) const;
  // The node's own clock, which may drift.
  Instant local_now(SimNode node) const;
  Result<void> apply(SimNode node, const AdminCommand& command);
  void set_full_disk(SimNode node, bool full);

  // Everybody running, with everybody a member, even contiguous ranges, converged: without the
  // meetings.
  void start_formed();
  // Meets all to the first, gives slots, and waits; false if not converged within `limit`.
  bool form(Duration limit);

  void run_for(Duration span) { world_.run_until(world_.now() + span); }
  // Runs in small steps until `done` or the limit; true if done.
  bool run_until(const std::function<bool()>& done, Duration limit,
                 Duration step = milliseconds(10));
  // All running, unpaused nodes hold one digest.
  bool converged() const;

  // Called after every event at a node; for checkers.
  std::function<void(SimNode)> after_event;
  // Called for each event line of a node; for traces.
  std::function<void(SimNode, const ClusterEvent&)> on_log;

 private:
  struct Machine;

  void schedule_wake(SimNode node);
  void launch(SimNode node, PersistentState state);
  void done(SimNode node);

  SimOptions options_;
  Rng rng_;
  SimWorld world_;
  SimNetwork network_;
  std::vector<std::unique_ptr<Machine>> nodes_;
};

}  // namespace slotd
