#include "common/sim/checker.h"

#include <utility>

namespace slotd {
namespace {

// True when the node's knowledge changed since `seen`, which is then brought up to date.
bool moved_on(std::map<SimNode, uint64_t>& seen, SimNode node, const Membership& membership) {
  uint64_t mark = hash_combine(membership.last_change(), membership.digest());
  uint64_t& last = seen[node];
  if (last == mark) return false;
  last = mark;
  return true;
}

bool claims_moved_on(std::map<SimNode, uint64_t>& seen, SimNode node,
                     const Membership& membership) {
  return std::exchange(seen[node], membership.claim_changes()) != membership.claim_changes();
}

// Whom a node can talk with, directly or through others: a newcomer on no side of a cut joins both.
std::set<SimNode> in_touch_with(const SimCluster& cluster, SimNode node) {
  auto open = [&](SimNode a, SimNode b) {
    return !cluster.network().blocked(a, b) && !cluster.network().blocked(b, a);
  };
  std::set<SimNode> circle = {node};
  std::vector<SimNode> ahead = {node};
  while (!ahead.empty()) {
    SimNode from = ahead.back();
    ahead.pop_back();
    for (SimNode to = 0; to < cluster.size(); ++to) {
      bool talks = cluster.up(to) && !cluster.paused(to) && open(from, to);
      if (talks && circle.insert(to).second) ahead.push_back(to);
    }
  }
  return circle;
}

SlotSet assigned_slots(const Membership& membership) {
  SlotSet slots;
  for (size_t s = 0; s < kSlotCount; ++s) {
    if (membership.slots().owner(static_cast<Slot>(s)) != kNoMember)
      slots.insert(static_cast<Slot>(s));
  }
  return slots;
}

}  // namespace

std::optional<std::string> AuthorChecker::after_event(SimCluster& cluster, SimNode node) {
  const Membership& membership = cluster.node(node).state().membership();
  if (!moved_on(seen_change_, node, membership)) return std::nullopt;
  for (const MemberEntry& entry : membership.entries()) {
    if (entry.removed() || excused_.contains(entry.id)) continue;
    // What it could not save it has told nobody.
    if (entry.id == cluster.id(node) && !cluster.node(node).save_error().empty()) continue;
    const NodeRecordPtr& record = entry.record;
    auto [at, fresh] = said_.try_emplace({entry.id, record->generation, record->version}, record);
    const NodeRecord& said = *at->second;
    bool same = fresh || at->second == record ||
                (said.config_epoch == record->config_epoch && said.slots == record->slots &&
                 said.role == record->role && said.address.port == record->address.port);
    if (!same) {
      return fmt::format(
          "R1: node {} holds version {} of {} with other content than was seen before", node,
          record->version.value, entry.id.short_hex());
    }
  }
  return std::nullopt;
}

std::optional<std::string> ClaimChecker::after_event(SimCluster& cluster, SimNode node) {
  const Membership& membership = cluster.node(node).state().membership();
  if (!claims_moved_on(seen_change_, node, membership)) return std::nullopt;
  std::vector<const NodeRecord*> winner(kSlotCount, nullptr);
  for (const MemberEntry& entry : membership.entries()) {
    if (entry.removed()) continue;
    const NodeRecord* record = entry.record.get();
    record->slots.decode().for_each([&](Slot slot) {
      const NodeRecord* other = winner[slot];
      bool beats = other == nullptr || record->config_epoch > other->config_epoch ||
                   (record->config_epoch == other->config_epoch && record->id < other->id);
      if (beats) winner[slot] = record;
    });
  }
  for (size_t s = 0; s < kSlotCount; ++s) {
    MemberIndex owner = membership.slots().owner(static_cast<Slot>(s));
    const NodeRecord* mapped = owner == kNoMember ? nullptr : membership.at(owner).record.get();
    if (mapped == winner[s]) continue;
    return fmt::format("R2: node {} gives slot {} to {}, the records give it to {}", node, s,
                       mapped ? mapped->id.short_hex() : "nobody",
                       winner[s] ? winner[s]->id.short_hex() : "nobody");
  }
  return std::nullopt;
}

std::optional<std::string> AssignmentChecker::after_event(SimCluster& cluster, SimNode node) {
  const ClusterState& state = cluster.node(node).state();
  if (!claims_moved_on(seen_change_, node, state.membership())) return std::nullopt;
  SlotSet now = assigned_slots(state.membership());
  NodeId id = state.id();
  SlotSet& before = assigned_[node];
  if (as_[node] != id || state.membership().member_count() == 1) before.clear();
  as_[node] = id;
  // A restarted node may know less than before until it has heard from the others, and serves
  // nobody.
  if (state.standing() == Standing::Joining) before.clear();
  SlotSet lost = before - now - dropped_;
  before = now;
  if (lost.empty()) return std::nullopt;
  return fmt::format("R3: node {} saw slot {} and {} more unassigned, and nobody dropped it", node,
                     lost.next(0), lost.count() - 1);
}

std::optional<std::string> ServingChecker::check_start(SimCluster& cluster, SimNode node) {
  uint64_t& linked_in = linked_in_life_[node];
  if (linked_in == cluster.life(node)) return std::nullopt;
  const ClusterState& state = cluster.node(node).state();
  for (const LinkStatus& link : state.links()) {
    if (link.connected) linked_in = cluster.life(node);
  }
  bool linked = linked_in == cluster.life(node);
  if (linked || state.standing() != Standing::Ok || state.membership().member_count() == 1) {
    return std::nullopt;
  }
  return fmt::format("R5: node {} serves after a start and has heard from nobody", node);
}

std::optional<std::string> ServingChecker::after_event(SimCluster& cluster, SimNode at) {
  if (auto broken = check_start(cluster, at)) return broken;
  if (cluster.world().now() < next_look_) return std::nullopt;
  next_look_ = cluster.world().now() + kCheckInterval / 2;
  // Drift and the length of a check are allowed for.
  Duration limit = cluster.options().config.node_timeout * 11 / 10 + 2 * kCheckInterval;
  for (SimNode node = 0; node < cluster.size(); ++node) {
    if (!cluster.up(node) || cluster.paused(node)) {
      cut_since_.erase(node);
      continue;
    }
    const ClusterState& state = cluster.node(node).state();
    const Electorate& electorate = state.suspicions().electorate();
    std::set<SimNode> circle = in_touch_with(cluster, node);
    size_t reached = 0;
    for (size_t i = 0; i < electorate.size(); ++i) {
      auto other = cluster.find(electorate.id(i));
      if (other && circle.contains(*other)) ++reached;
    }
    bool cut = electorate.size() > 1 && reached < electorate.majority();
    if (!cut) {
      cut_since_.erase(node);
      continue;
    }
    Instant since = cut_since_.try_emplace(node, cluster.world().now()).first->second;
    bool serves =
        state.standing() == Standing::Ok &&
        state.membership().slots().count_of(state.membership().member(state.id())->index) > 0;
    if (serves && cluster.world().now() - since > limit) {
      return fmt::format("R5: node {} serves {} ms after it lost the majority", node,
                         to_ms(cluster.world().now() - since));
    }
  }
  return std::nullopt;
}

std::optional<std::string> MemoryChecker::after_event(SimCluster& cluster, SimNode node) {
  const ClusterState& state = cluster.node(node).state();
  Known& known = known_[node];
  bool same_life = known.id == state.id();
  // What was never said to anybody because the disk was full may be forgotten.
  if (cluster.store(node).full || !cluster.node(node).save_error().empty()) return std::nullopt;
  if (same_life && state.self().version < known.version) {
    return fmt::format("R6: node {} went back from version {} to {}", node, known.version.value,
                       state.self().version.value);
  }
  if (!moved_on(seen_change_, node, state.membership())) return std::nullopt;
  for (const auto& [id, generation] : known.removals) {
    const MemberEntry* entry = state.membership().find(id);
    bool forgotten = entry == nullptr || entry->generation < generation ||
                     (entry->generation == generation && !entry->removed());
    if (same_life && state.membership().member_count() > 1 && forgotten) {
      return fmt::format("R7: node {} forgot the removal of {}", node, id.short_hex());
    }
  }
  known.id = state.id();
  known.version = state.self().version;
  known.removals.clear();
  for (const MemberEntry& entry : state.membership().entries()) {
    if (entry.removed()) known.removals[entry.id] = entry.generation;
  }
  return std::nullopt;
}

std::vector<std::unique_ptr<Checker>> all_checkers() {
  std::vector<std::unique_ptr<Checker>> all;
  all.push_back(std::make_unique<AuthorChecker>());
  all.push_back(std::make_unique<ClaimChecker>());
  all.push_back(std::make_unique<AssignmentChecker>());
  all.push_back(std::make_unique<ServingChecker>());
  all.push_back(std::make_unique<MemoryChecker>());
  return all;
}

std::optional<std::string> check_convergence(SimCluster& cluster,
                                             const std::set<SimNode>& members) {
  std::optional<SimNode> first;
  for (SimNode node : members) {
    if (!cluster.up(node)) continue;
    if (!first) first = node;
    const Membership& mine = cluster.node(node).state().membership();
    const Membership& theirs = cluster.node(*first).state().membership();
    if (mine.digest() != theirs.digest()) {
      return fmt::format("R8: nodes {} and {} hold different views", *first, node);
    }
    for (size_t s = 0; s < kSlotCount; ++s) {
      MemberIndex a = mine.slots().owner(static_cast<Slot>(s));
      MemberIndex b = theirs.slots().owner(static_cast<Slot>(s));
      bool same = (a == kNoMember) == (b == kNoMember) &&
                  (a == kNoMember || mine.at(a).id == theirs.at(b).id);
      if (!same) return fmt::format("R8: nodes {} and {} disagree on slot {}", *first, node, s);
    }
    for (SimNode other : members) {
      if (!cluster.up(other)) continue;
      const MemberEntry* entry = mine.member(cluster.id(other));
      if (entry == nullptr) return fmt::format("R8: node {} does not know member {}", node, other);
      if (entry->failed) return fmt::format("R8: node {} holds live {} for failed", node, other);
    }
    Standing standing = cluster.node(node).state().standing();
    if (standing != Standing::Ok && standing != Standing::SlotsUncovered) {
      return fmt::format("R8: node {} has not come back to serving (standing {})", node,
                         static_cast<int>(standing));
    }
  }
  return std::nullopt;
}

}  // namespace slotd
