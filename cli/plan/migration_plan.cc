#include "cli/plan/migration_plan.h"

#include "common/slot/slot_ranges.h"

namespace slotd {

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

}  // namespace slotd
