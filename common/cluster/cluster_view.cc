#include "common/cluster/cluster_view.h"

#include <algorithm>

namespace slotd {

const Member* ClusterView::find(const NodeId& id) const {
  auto at = std::lower_bound(members.begin(), members.end(), id,
                             [](const Member& m, const NodeId& key) { return m.record->id < key; });
  return at != members.end() && at->record->id == id ? &*at : nullptr;
}

const Member& ClusterView::self() const {
  const Member* member = find(myself);
  SLOT_ASSERT(member != nullptr);
  return *member;
}

SlotSet ClusterView::slots_of(const NodeId& id) const {
  SlotSet slots;
  const Member* member = find(id);
  if (member == nullptr || member->slot_count == 0) return slots;
  auto index = static_cast<uint16_t>(member - members.data());
  for (size_t s = 0; s < kSlotCount; ++s) {
    if (owners[s] == index) slots.insert(static_cast<Slot>(s));
  }
  return slots;
}

std::vector<std::vector<SlotRange>> ClusterView::ranges_by_member() const {
  std::vector<std::vector<SlotRange>> ranges(members.size());
  for (size_t first = 0; first < kSlotCount;) {
    size_t last = first;
    while (last + 1 < kSlotCount && owners[last + 1] == owners[first]) ++last;
    if (owners[first] != kNobody) {
      ranges[owners[first]].push_back({static_cast<Slot>(first), static_cast<Slot>(last)});
    }
    first = last + 1;
  }
  return ranges;
}

ClusterView::Totals ClusterView::totals() const {
  Totals totals{};
  for (const Member& member : members) {
    size_t slots = member.slot_count;
    totals.assigned += slots;
    if (slots > 0) ++totals.masters_with_slots;
    if (member.health == Health::Ok) totals.ok += slots;
    if (member.health == Health::Suspect) totals.suspect += slots;
    if (member.health == Health::Failed) totals.failed += slots;
  }
  return totals;
}

}  // namespace slotd
