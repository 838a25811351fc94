#pragma once

#include <array>
#include <compare>
#include <functional>
#include <vector>

#include "common/cluster/ids.h"
#include "common/slot/slot_set.h"

namespace slotd {

// A member's place in Membership; stable as long as it is a member.
using MemberIndex = uint16_t;
inline constexpr MemberIndex kNoMember = 0xffff;

// What decides between two claims to one slot: the higher config epoch, and on a tie the lower node
// id.
struct ClaimRank {
  ConfigEpoch epoch;
  NodeId id;

  bool beats(const ClaimRank& other) const {
    return epoch != other.epoch ? epoch > other.epoch : id < other.id;
  }
};

// Who owns each slot: the only writer of ownership. The map is a pure function of the members'
// records, owner(slot) = the claimant whose rank beats all others, so the order in which records
// arrive cannot matter (rules R1 to R3).
class SlotMap {
 public:
  struct Claim {
    MemberIndex member;
    SlotSet slots;
  };
  // Calls back with the claims of all members; asked only when slots were given up, which another
  // claimant may now inherit.
  using ForEachClaim = std::function<void(const std::function<void(const Claim&)>&)>;

  SlotMap() { owners_.fill(kNoMember); }

  MemberIndex owner(Slot slot) const { return owners_[slot]; }
  SlotSet slots_of(MemberIndex member) const;
  size_t count_of(MemberIndex member) const {
    return member < counts_.size() ? counts_[member] : 0;
  }
  // What `member` claims from now on, and under which rank; an empty set when it is no more.
  // Returns the slots whose owner changed.
  SlotSet claim(MemberIndex member, const ClaimRank& rank, const SlotSet& slots,
                const ForEachClaim& others);

 private:
  void assign(Slot slot, MemberIndex member);
  void inherit(const SlotSet& orphaned, const ForEachClaim& others);

  std::array<MemberIndex, kSlotCount> owners_;
  std::vector<ClaimRank> ranks_;  // by member
  std::vector<uint16_t> counts_;  // by member: slots owned
};

}  // namespace slotd
