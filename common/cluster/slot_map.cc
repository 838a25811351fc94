#include "common/cluster/slot_map.h"

namespace slotd {

SlotSet SlotMap::slots_of(MemberIndex member) const {
  SlotSet slots;
  if (count_of(member) == 0) return slots;
  for (size_t s = 0; s < kSlotCount; ++s) {
    if (owners_[s] == member) slots.insert(static_cast<Slot>(s));
  }
  return slots;
}

void SlotMap::assign(Slot slot, MemberIndex member) {
  if (owners_[slot] != kNoMember) --counts_[owners_[slot]];
  if (member != kNoMember) ++counts_[member];
  owners_[slot] = member;
}

SlotSet SlotMap::claim(MemberIndex member, const ClaimRank& rank, const SlotSet& slots,
                       const ForEachClaim& others) {
  if (member >= ranks_.size()) {
    ranks_.resize(member + size_t{1});
    counts_.resize(member + size_t{1});
  }
  SlotSet held = slots_of(member);
  bool weaker = !held.empty() && ranks_[member].beats(rank);
  ranks_[member] = rank;
  // Under a weaker rank even a slot that is still claimed may now belong to another claimant.
  SlotSet given_up = weaker ? held : held - slots;
  given_up.for_each([this](Slot slot) { assign(slot, kNoMember); });
  SlotSet changed = given_up;
  (slots - slots_of(member)).for_each([&](Slot slot) {
    MemberIndex owner = owners_[slot];
    if (owner != kNoMember && !rank.beats(ranks_[owner])) return;
    assign(slot, member);
    changed.insert(slot);
  });
  if (given_up.empty()) return changed;
  inherit(given_up, others);
  // Slots that only seemed lost while the ranks were compared anew.
  (held & slots_of(member)).for_each([&](Slot slot) { changed.erase(slot); });
  return changed;
}

void SlotMap::inherit(const SlotSet& orphaned, const ForEachClaim& others) {
  others([&](const Claim& claim) {
    if (claim.member >= ranks_.size()) return;
    (claim.slots & orphaned).for_each([&](Slot slot) {
      MemberIndex owner = owners_[slot];
      if (owner == claim.member) return;
      if (owner != kNoMember && !ranks_[claim.member].beats(ranks_[owner])) return;
      assign(slot, claim.member);
    });
  });
}

}  // namespace slotd
