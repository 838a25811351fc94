// What operators order. Errors carry the texts that Redis 7 gives, so that its tools understand
// them.
#include "common/cluster/cluster_state.h"

namespace slotd {

bool ClusterState::owns(Slot slot) const {
  return membership_.slots().owner(slot) == self_entry().index;
}

Result<void> ClusterState::run(const MeetCommand& command, Instant now) {
  if (meets_.size() >= kMaxPendingMeets) {
    return make_error(ErrorCode::Unavailable, "Too many meetings are pending");
  }
  meets_.push_back({command.ip, command.bus_port, now + kMeetTimeout, now});
  return {};
}

Result<void> ClusterState::run(const ForgetCommand& command, Instant now) {
  const MemberEntry* entry = membership_.find(command.node);
  if (entry == nullptr) {
    return make_error(ErrorCode::NotFound, "Unknown node {}", command.node.hex());
  }
  // The removal may have come by gossip before the operator's own command: it is what was asked
  // for.
  if (entry->removed()) return {};
  if (command.node == self_) {
    return make_error(ErrorCode::Refused, "I tried hard but I can't forget myself...");
  }
  if (self().role == NodeRole::Replica && self().master == command.node) {
    return make_error(ErrorCode::Refused, "Can't forget my master!");
  }
  learn(Removal{command.node, entry->generation}, nullptr, now);
  need_save(SaveNeed::Now);
  return {};
}

Result<void> ClusterState::run(const AddSlotsCommand& command, Instant) {
  size_t busy = kSlotCount;
  command.slots.for_each([&](Slot slot) {
    if (busy == kSlotCount && membership_.slots().owner(slot) != kNoMember) busy = slot;
  });
  if (busy != kSlotCount) return make_error(ErrorCode::Conflict, "Slot {} is already busy", busy);
  own_slots_ |= command.slots;
  revise_self([this](NodeRecord& record) { set_own_slots(record, own_slots_); });
  close_stale_open_slots();
  return {};
}

Result<void> ClusterState::run(const DelSlotsCommand& command, Instant) {
  Result<void> result;
  command.slots.for_each([&](Slot slot) {
    if (!result.ok() || owns(slot)) return;
    MemberIndex owner = membership_.slots().owner(slot);
    result = owner == kNoMember
                 ? make_error(ErrorCode::Conflict, "Slot {} is already unassigned", slot)
                 : make_error(ErrorCode::Refused, "Slot {} is owned by node {}", slot,
                              membership_.at(owner).id.hex());
  });
  if (!result) return result;
  own_slots_ -= command.slots;
  revise_self([this](NodeRecord& record) { set_own_slots(record, own_slots_); });
  close_stale_open_slots();
  return {};
}

Result<void> ClusterState::run(const FlushSlotsCommand& command, Instant) {
  if (command.holds_keys) {
    return make_error(ErrorCode::Refused, "DB must be empty to perform CLUSTER FLUSHSLOTS.");
  }
  own_slots_.clear();
  revise_self([this](NodeRecord& record) { set_own_slots(record, own_slots_); });
  close_stale_open_slots();
  return {};
}

Result<void> ClusterState::run(const SetSlotMigratingCommand& command, Instant) {
  if (!owns(command.slot)) {
    return make_error(ErrorCode::Refused, "I'm not the owner of hash slot {}", command.slot);
  }
  if (membership_.member(command.target) == nullptr) {
    return make_error(ErrorCode::NotFound, "I don't know about node {}", command.target.hex());
  }
  if (command.target == self_) {
    return make_error(ErrorCode::InvalidArgument, "Slot {} cannot migrate to its own node",
                      command.slot);
  }
  migrating_[command.slot] = command.target;
  view_stale_ = true;
  need_save(SaveNeed::Now);
  return {};
}

Result<void> ClusterState::run(const SetSlotImportingCommand& command, Instant) {
  if (owns(command.slot)) {
    return make_error(ErrorCode::Refused, "I'm already the owner of hash slot {}", command.slot);
  }
  if (membership_.member(command.source) == nullptr) {
    return make_error(ErrorCode::NotFound, "I don't know about node {}", command.source.hex());
  }
  importing_[command.slot] = command.source;
  view_stale_ = true;
  need_save(SaveNeed::Now);
  return {};
}

Result<void> ClusterState::run(const SetSlotStableCommand& command, Instant) {
  migrating_.erase(command.slot);
  importing_.erase(command.slot);
  yielded_.erase(command.slot);
  view_stale_ = true;
  need_save(SaveNeed::Now);
  return {};
}

// Each node authors its own record only (R1). On the new owner this is the claim; on the old one it
// is the consent to it; on any other it changes nothing, since the claim comes by gossip.
Result<void> ClusterState::run(const SetSlotNodeCommand& command, Instant now) {
  if (membership_.member(command.owner) == nullptr) {
    return make_error(ErrorCode::NotFound, "Unknown node {}", command.owner.hex());
  }
  if (command.owner == self_) {
    take_slot(command.slot, now);
    return {};
  }
  if (importing_.erase(command.slot) > 0) need_save(SaveNeed::Now);
  if (owns(command.slot)) {
    if (command.holds_keys) {
      return make_error(ErrorCode::Refused,
                        "Can't assign hashslot {} to a different node while I still hold keys for "
                        "this hash slot.",
                        command.slot);
    }
    yielded_[command.slot] = command.owner;
    if (migrating_.erase(command.slot) > 0) need_save(SaveNeed::Now);
  }
  view_stale_ = true;
  return {};
}

void ClusterState::take_slot(Slot slot, Instant) {
  yielded_.erase(slot);
  if (migrating_.erase(slot) + importing_.erase(slot) > 0) need_save(SaveNeed::Now);
  view_stale_ = true;
  if (owns(slot)) return;
  bool taken_from_somebody = membership_.slots().owner(slot) != kNoMember;
  // Above every epoch ever seen, so that the claim wins everywhere and for good.
  if (taken_from_somebody) raise_epoch(current_epoch_.value + 1);
  own_slots_.insert(slot);
  revise_self([&](NodeRecord& record) {
    set_own_slots(record, own_slots_);
    if (taken_from_somebody) record.config_epoch.value = current_epoch_.value;
  });
}

Result<void> ClusterState::run(const SetConfigEpochCommand& command, Instant) {
  if (membership_.member_count() > 1) {
    return make_error(
        ErrorCode::Refused,
        "The user can assign a config epoch only when the node does not know any other "
        "node.");
  }
  if (self().config_epoch.value != 0) {
    return make_error(ErrorCode::Refused, "Node config epoch is already non-zero");
  }
  raise_epoch(command.epoch.value);
  revise_self([&](NodeRecord& record) { record.config_epoch = command.epoch; });
  return {};
}

Result<void> ClusterState::run(const BumpEpochCommand&, Instant) {
  bool highest =
      self().config_epoch.value != 0 && self().config_epoch.value == current_epoch_.value;
  if (highest) return {};
  raise_epoch(current_epoch_.value + 1);
  revise_self([this](NodeRecord& record) { record.config_epoch.value = current_epoch_.value; });
  return {};
}

Result<void> ClusterState::run(const ResetCommand& command, Instant now) {
  if (command.holds_keys) {
    return make_error(ErrorCode::Refused,
                      "CLUSTER RESET can't be called with master nodes containing keys");
  }
  PersistentState fresh = fresh_identity(rng_.next(), self().address);
  if (!command.hard) {
    fresh.self.id = self_;
    fresh.self.generation = self().generation;
    fresh.self.version = self().version;
    fresh.current_epoch = current_epoch_;
  }
  for (const auto& [id, link] : links_) output_.closes.push_back(id);
  links_.clear();
  contacts_.clear();
  meets_.clear();
  hosted_.clear();
  suspicions_.clear();
  yielded_.clear();
  membership_ = Membership{};
  current_epoch_ = {};
  removed_ = joining_ = false;
  overlay_stale_ = electorate_stale_ = true;
  world_changed();
  load(fresh);
  revise_self([this](NodeRecord& record) { set_own_slots(record, own_slots_); });
  settle_standing(now);
  return {};
}

Result<void> ClusterState::run(const SaveConfigCommand&, Instant) {
  need_save(SaveNeed::Now);
  return {};
}

}  // namespace slotd
