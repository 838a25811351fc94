#include "cli/plan/migration_plan.h"

#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

Error open_elsewhere(Slot slot, const NodeLine& node, const NodeId& peer) {
  return make_error(ErrorCode::Conflict,
                    "slot {} is open at {}:{} with {}: finish that move, or close the slot with "
                    "CLUSTER SETSLOT {} STABLE on both",
                    slot, node.address.ip, node.address.port, peer.hex(), slot);
}

}  // namespace

size_t MigrationPlan::count() const {
  size_t total = 0;
  for (const auto& [source, slots] : sources) total += slots.count();
  return total;
}

Result<MigrationPlan> plan_migration(const Topology& topology, const SlotSet& slots,
                                     const std::string& from, const std::string& to) {
  Result<const NodeLine*> target = topology.find(to);
  if (!target) return target.error();
  if (!(*target)->master || (*target)->failed || (*target)->handshake) {
    return make_error(ErrorCode::Conflict, "{} cannot own slots: it is {}", to,
                      (*target)->failed      ? "failed"
                      : (*target)->handshake ? "not a member yet"
                                             : "a replica");
  }
  const NodeLine* only = nullptr;
  if (!from.empty()) {
    Result<const NodeLine*> source = topology.find(from);
    if (!source) return source.error();
    only = *source;
  }
  MigrationPlan plan;
  plan.target = *target;
  SlotSet left = slots;
  for (const NodeLine& node : topology.nodes) {
    SlotSet gives = slots & node.slots;
    left -= gives;
    if (gives.empty()) continue;
    if (&node == plan.target) {
      plan.there_already = gives;
    } else if (only != nullptr && &node != only) {
      return make_error(ErrorCode::Conflict, "slots {} belong to {}:{}, not to {}",
                        format_slot_ranges(gives), node.address.ip, node.address.port, from);
    } else {
      plan.sources[&node] = gives;
    }
  }
  if (!left.empty()) {
    return make_error(ErrorCode::Conflict,
                      "slots {} belong to nobody: slotctl assign gives them away",
                      format_slot_ranges(left));
  }
  return plan;
}

Result<void> check_open_slots(const MigrationPlan& plan, const NodeLine& target,
                              const std::vector<NodeLine>& sources) {
  for (const NodeLine& own : sources) {
    for (const auto& [source, slots] : plan.sources) {
      if (source->id != own.id) continue;
      SlotSet lost = slots - own.slots;
      if (!lost.empty()) {
        return make_error(ErrorCode::Conflict, "{}:{} says that slots {} are not its own any more",
                          source->address.ip, source->address.port, format_slot_ranges(lost));
      }
      for (const auto& [slot, peer] : own.migrating) {
        if (slots.contains(slot) && peer != target.id) return open_elsewhere(slot, own, peer);
      }
      for (const auto& [slot, peer] : target.importing) {
        if (slots.contains(slot) && peer != own.id) return open_elsewhere(slot, target, peer);
      }
    }
  }
  return {};
}

}  // namespace slotd
