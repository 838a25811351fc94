#include "cli/classic_migration.h"

#include <algorithm>

namespace slotd {
namespace {

constexpr size_t kKeysInBatch = 100;
// Slots that are open at one time: their state changes go in one pipeline, which the servers save
// at once.
constexpr size_t kSlotsInBatch = 64;

class Migration {
 public:
  Migration(ClusterClient& client, const Topology& topology, const MigrationPlan& plan,
            const std::function<void(const MigrationProgress&)>& on_progress)
      : client_(client), topology_(topology), target_(*plan.target), on_progress_(on_progress) {
    progress_.slots_total = plan.count();
  }

  Result<void> move(const NodeLine& source, const std::vector<Slot>& slots) {
    Result<void> opened = open(source, slots);
    if (!opened) return opened;
    for (Slot slot : slots) {
      Result<void> moved = move_keys(source, slot);
      if (!moved) return make_error(moved.error().code, "slot {}: {}", slot, moved.error().message);
    }
    Result<void> closed = close(source, slots);
    if (!closed) return closed;
    progress_.slots_done += slots.size();
    on_progress_(progress_);
    return {};
  }

 private:
  Result<void> set_slots(const NodeLine& node, const std::vector<Slot>& slots,
                         const std::string& state, const NodeId& peer) {
    Result<RespClient*> client = client_.connection(node);
    if (!client) return client.error();
    for (Slot slot : slots) {
      (*client)->queue({"CLUSTER", "SETSLOT", fmt::format("{}", slot), state, peer.hex()});
    }
    Result<void> result;
    for (Slot slot : slots) {
      Result<Reply> reply = (*client)->next_reply();
      if (!reply) return reply.error();
      if (!reply->is_error() || !result.ok()) continue;
      result = make_error(ErrorCode::Refused, "slot {}: {} at {}", slot, reply->text,
                          client_.endpoint_of(node).text());
    }
    return result;
  }

  Result<void> open(const NodeLine& source, const std::vector<Slot>& slots) {
    Result<void> importing = set_slots(target_, slots, "IMPORTING", source.id);
    if (!importing) return importing;
    return set_slots(source, slots, "MIGRATING", target_.id);
  }

  Result<void> move_keys(const NodeLine& source, Slot slot) {
    while (true) {
      Result<Reply> keys = client_.demand(
          source,
          {"CLUSTER", "GETKEYSINSLOT", fmt::format("{}", slot), fmt::format("{}", kKeysInBatch)});
      if (!keys) return keys.error();
      if (keys->items.empty()) return {};
      std::vector<std::string> names;
      for (const Reply& key : keys->items) names.push_back(key.text);
      Result<void> moved = send_keys(source, names, false);
      if (!moved && moved.error().code == ErrorCode::Refused) {
        // Most likely BUSYKEY, from an attempt that was cut off; for anything else the second
        // attempt is refused as the first was.
        Result<void> same = check_copies(source, names);
        if (!same) return same;
        moved = send_keys(source, names, true);
      }
      if (!moved) return moved;
      progress_.keys_moved += names.size();
      on_progress_(progress_);
    }
  }

  Result<void> send_keys(const NodeLine& source, const std::vector<std::string>& names,
                         bool replace) {
    Endpoint target = client_.endpoint_of(target_);
    std::vector<std::string> command = {
        "MIGRATE", target.host, fmt::format("{}", target.port),
        "",        "0",         fmt::format("{}", client_.options().timeout.count())};
    if (replace) command.push_back("REPLACE");
    if (!client_.options().password.empty()) {
      command.insert(command.end(), {"AUTH", client_.options().password});
    }
    command.push_back("KEYS");
    command.insert(command.end(), names.begin(), names.end());
    Result<Reply> done = client_.demand(source, command);
    if (!done) return done.error();
    return {};
  }

  // Keys that an earlier attempt left on the target may be overwritten when they are the same.
  Result<void> check_copies(const NodeLine& source, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      Result<RespClient*> client = client_.connection(source);
      if (!client) return client.error();
      Result<Reply> here = (*client)->call({"DUMP", name});
      if (!here) return here.error();
      // MIGRATE moves what it can before it says BUSYKEY, and the source of an open slot sends us
      // on for what it has no more: this one is over there for good.
      if (here->kind == Reply::Kind::Null || here->text.starts_with("ASK ")) continue;
      if (here->is_error()) return Error{ErrorCode::Refused, here->text};
      Result<Reply> asking = client_.demand(target_, {"ASKING"});
      if (!asking) return asking.error();
      Result<Reply> there = client_.demand(target_, {"DUMP", name});
      if (!there) return there.error();
      if (there->kind == Reply::Kind::Null || here->text == there->text) continue;
      return make_error(
          ErrorCode::Conflict,
          "key '{}' is on both sides with different values: remove the wrong one by hand", name);
    }
    return {};
  }

  // The target first, so that at no moment nobody claims a slot.
  Result<void> close(const NodeLine& source, const std::vector<Slot>& slots) {
    Result<void> taken = set_slots(target_, slots, "NODE", target_.id);
    if (!taken) return taken;
    Result<void> given = set_slots(source, slots, "NODE", target_.id);
    if (!given) return given;
    for (const NodeLine* master : topology_.masters()) {
      if (master->id == target_.id || master->id == source.id) continue;
      // They hear it by gossip anyway; one that does not answer must not stop the move.
      (void)set_slots(*master, slots, "NODE", target_.id);
    }
    return {};
  }

  ClusterClient& client_;
  const Topology& topology_;
  const NodeLine& target_;
  const std::function<void(const MigrationProgress&)>& on_progress_;
  MigrationProgress progress_;
};

Result<void> close_slot(ClusterClient& client, const NodeLine& node, Slot slot,
                        const std::vector<std::string>& state) {
  std::vector<std::string> command = {"CLUSTER", "SETSLOT", fmt::format("{}", slot)};
  command.insert(command.end(), state.begin(), state.end());
  Result<Reply> closed = client.demand(node, command);
  if (!closed) return closed.error();
  return {};
}

// Slots that the target owns but that somebody still has open, from a run that ended between its
// last steps: the target may not have closed its side, and its source may not have been told.
Result<void> close_leftovers(ClusterClient& client, const Topology& topology,
                             const MigrationPlan& plan) {
  if (plan.there_already.empty()) return {};
  const NodeId target = plan.target->id;
  for (const NodeLine* master : topology.masters()) {
    Result<Topology> own = client.topology(client.endpoint_of(*master));
    // One that does not answer had no part in it, or closes its slots when it hears of the owner.
    if (!own) continue;
    const NodeLine& self = own->myself();
    const auto& open = self.id == target ? self.importing : self.migrating;
    for (const auto& [slot, peer] : open) {
      if (!plan.there_already.contains(slot) || (self.id != target && peer != target)) continue;
      Result<void> closed = self.id == target
                                ? close_slot(client, *master, slot, {"STABLE"})
                                : close_slot(client, *master, slot, {"NODE", target.hex()});
      if (!closed) return closed;
    }
  }
  return {};
}

}  // namespace

Result<void> migrate_classic(ClusterClient& client, const Topology& topology,
                             const MigrationPlan& plan,
                             const std::function<void(const MigrationProgress&)>& on_progress) {
  Result<void> clean = close_leftovers(client, topology, plan);
  if (!clean) return clean;
  Migration migration(client, topology, plan, on_progress);
  for (const auto& [source, slots] : plan.sources) {
    std::vector<Slot> batch;
    for (size_t slot = slots.next(0); slot < kSlotCount;) {
      batch.push_back(static_cast<Slot>(slot));
      slot = slots.next(slot + 1);
      if (batch.size() < kSlotsInBatch && slot < kSlotCount) continue;
      Result<void> moved = migration.move(*source, batch);
      if (!moved) return moved;
      batch.clear();
    }
  }
  return {};
}

}  // namespace slotd
