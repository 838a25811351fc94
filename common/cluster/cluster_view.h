#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "common/base/time.h"
#include "common/cluster/node_record.h"
#include "common/slot/slot_set.h"

namespace slotd {

enum class Health : uint8_t { Ok, Suspect, Failed };

// Why this node serves no keys. The first that applies is shown.
enum class Standing : uint8_t {
  Ok,
  Removed,        // an operator removed this node from the cluster
  Joining,        // restarted, and has not yet heard from enough of the cluster (R5)
  Minority,       // cut off from the majority of slot-owning masters (R5)
  SlotsUncovered  // a slot has no live owner and cluster-require-full-coverage is on
};

struct Member {
  NodeRecordPtr record;  // never null
  Health health = Health::Ok;
  uint16_t slot_count = 0;  // slots that it owns in this view, 0 … 16384
};

// An immutable picture of the cluster as this node knows it; what clients are answered from. Shared
// freely; a change makes a new one with a higher revision.
struct ClusterView {
  static constexpr uint16_t kNobody = 0xffff;

  uint64_t revision = 0;
  ClusterId cluster;
  NodeId myself;
  std::vector<Member> members;              // ascending by id, this node included
  std::array<uint16_t, kSlotCount> owners;  // index into members, or kNobody
  std::map<Slot, NodeId> migrating;         // to whom; slots that this node owns
  std::map<Slot, NodeId> importing;         // from whom
  CurrentEpoch current_epoch;
  uint64_t digest = 0;  // of members and removals; equal on all nodes that know the same
  Standing standing = Standing::Ok;
  bool full_coverage_required = true;

  const Member* find(const NodeId& id) const;
  const Member& self() const;
  // Null when the slot is unassigned.
  const Member* owner(Slot slot) const {
    return owners[slot] == kNobody ? nullptr : &members[owners[slot]];
  }
  SlotSet slots_of(const NodeId& id) const;
  // Owned runs of every member, by member index, ascending: one pass over the owners.
  std::vector<std::vector<SlotRange>> ranges_by_member() const;

  struct Totals {
    size_t assigned, ok, suspect, failed;  // slots
    size_t masters_with_slots;             // "cluster_size"
  };
  Totals totals() const;
};

}  // namespace slotd
