#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/sim/sim_cluster.h"

namespace slotd {

// Watches a simulated cluster from outside and knows one rule. Returns what is broken, or nothing.
class Checker {
 public:
  virtual ~Checker() = default;
  // After something happened at `node`, which is running.
  virtual std::optional<std::string> after_event(SimCluster& cluster, SimNode node) = 0;
  // What operators and faults did, as far as rules excuse by it.
  virtual void on_slots_dropped(const SlotSet&) {}
  virtual void on_old_state(const SimCluster&, SimNode) {}
};

// R1: a record is what its author said. Any two that hold one (id, generation, version) hold the
// same, except of a node whose old state file was put back.
class AuthorChecker : public Checker {
 public:
  std::optional<std::string> after_event(SimCluster& cluster, SimNode node) override;
  void on_old_state(const SimCluster& cluster, SimNode node) override {
    excused_.insert(cluster.id(node));
  }

 private:
  std::set<NodeId> excused_;
  std::map<std::tuple<NodeId, Generation, Version>, NodeRecordPtr> said_;
  std::map<SimNode, uint64_t> seen_change_;
};

// R2: the map of each node follows from the records it holds; here slot by slot, the simple way.
class ClaimChecker : public Checker {
 public:
  std::optional<std::string> after_event(SimCluster& cluster, SimNode node) override;

 private:
  std::map<SimNode, uint64_t> seen_change_;
};

// R3: a slot that a node has seen assigned is never unassigned to it, unless an operator dropped
// it.
class AssignmentChecker : public Checker {
 public:
  std::optional<std::string> after_event(SimCluster& cluster, SimNode node) override;
  void on_slots_dropped(const SlotSet& slots) override { dropped_ |= slots; }

 private:
  SlotSet dropped_;
  std::map<SimNode, SlotSet> assigned_;
  std::map<SimNode, NodeId> as_;
  std::map<SimNode, uint64_t> seen_change_;
};

// R5: who cannot reach a majority of the slot-owning masters, through others or not, for longer
// than the node timeout serves nothing, and who knows others serves nothing after a start before it
// is linked to one.
class ServingChecker : public Checker {
 public:
  std::optional<std::string> after_event(SimCluster& cluster, SimNode node) override;

 private:
  std::optional<std::string> check_start(SimCluster& cluster, SimNode node);

  Instant next_look_{};  // at everybody; each event would be too often
  std::map<SimNode, Instant> cut_since_;
  std::map<SimNode, uint64_t> linked_in_life_;
};

// R6 and R7: what a node knew when it last promised it, it knows after any restart from its disk:
// its version, epochs and removals only go up.
class MemoryChecker : public Checker {
 public:
  std::optional<std::string> after_event(SimCluster& cluster, SimNode node) override;
  void on_old_state(const SimCluster&, SimNode node) override {
    known_.erase(node);
    seen_change_.erase(node);
  }

 private:
  struct Known {
    NodeId id;
    Version version;
    std::map<NodeId, Generation> removals;
  };
  std::map<SimNode, Known> known_;
  std::map<SimNode, uint64_t> seen_change_;
};

std::vector<std::unique_ptr<Checker>> all_checkers();

// R8, asked once faults have ended and time has passed: running members hold the same records and
// agree on every owner.
std::optional<std::string> check_convergence(SimCluster& cluster, const std::set<SimNode>& members);

}  // namespace slotd
