#include "common/cluster/slot_map.h"

#include <catch2/catch.hpp>

#include <map>

#include "tests/unit/cluster/made_records.h"

using namespace slotd;
using namespace slotd::test;

namespace {

struct Claimant {
  ClaimRank rank;
  SlotSet slots;
};

// The dumb twin: asks for each slot who of all claimants ranks highest.
struct Twin {
  std::map<MemberIndex, Claimant> claims;

  MemberIndex owner(Slot slot) const {
    MemberIndex best = kNoMember;
    for (const auto& [member, claim] : claims) {
      if (!claim.slots.contains(slot)) continue;
      if (best == kNoMember || claim.rank.beats(claims.at(best).rank)) best = member;
    }
    return best;
  }
};

SlotSet claim_both(SlotMap& map, Twin& twin, MemberIndex member, const Claimant& claim) {
  twin.claims[member] = claim;
  return map.claim(member, claim.rank, claim.slots, [&](const auto& visit) {
    for (const auto& [index, other] : twin.claims) visit({index, other.slots});
  });
}

void require_same(const SlotMap& map, const Twin& twin) {
  std::map<MemberIndex, size_t> counts;
  for (size_t s = 0; s < kSlotCount; ++s) {
    MemberIndex owner = twin.owner(static_cast<Slot>(s));
    if (map.owner(static_cast<Slot>(s)) != owner) FAIL("slot " << s << " has another owner");
    if (owner != kNoMember) ++counts[owner];
  }
  for (const auto& [member, claim] : twin.claims) {
    REQUIRE(map.count_of(member) == counts[member]);
    REQUIRE(map.slots_of(member).count() == counts[member]);
  }
}

// Every change is reported, and nothing else.
void require_reported(const SlotMap& before, const SlotMap& after, const SlotSet& moved) {
  for (size_t s = 0; s < kSlotCount; ++s) {
    Slot slot = static_cast<Slot>(s);
    bool changed = before.owner(slot) != after.owner(slot);
    if (changed != moved.contains(slot)) {
      FAIL("slot " << s << " is wrongly reported");
    }
  }
}

}  // namespace

TEST_CASE("the slot map equals its dumb twin after any claims") {
  Rng rng(1);
  for (int life = 0; life < 8; ++life) {
    SlotMap map;
    Twin twin;
    for (int round = 0; round < 40; ++round) {
      auto member = static_cast<MemberIndex>(rng.below(6));
      Claimant claim{{{rng.below(4)}, made_id(member)},
                     rng.one_in(6) ? SlotSet() : made_slots(rng)};
      SlotMap before = map;
      SlotSet moved = claim_both(map, twin, member, claim);
      require_same(map, twin);
      require_reported(before, map, moved);
    }
  }
}

TEST_CASE("the order in which claims arrive does not matter, nor do repetitions") {
  Rng rng(2);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::pair<MemberIndex, Claimant>> claims;
    for (MemberIndex m = 0; m < 6; ++m) {
      claims.push_back({m, {{{rng.below(3)}, made_id(m)}, made_slots(rng)}});
    }
    SlotMap first, second;
    Twin first_twin, second_twin;
    for (const auto& [member, claim] : claims) claim_both(first, first_twin, member, claim);
    std::vector<std::pair<MemberIndex, Claimant>> again = claims;
    again.insert(again.end(), claims.begin(), claims.end());
    shuffle(again, rng);
    for (const auto& [member, claim] : again) claim_both(second, second_twin, member, claim);
    for (size_t s = 0; s < kSlotCount; ++s) {
      Slot slot = static_cast<Slot>(s);
      if (first.owner(slot) != second.owner(slot)) FAIL("slot " << s << " depends on the order");
    }
  }
}

TEST_CASE("of two claims the higher config epoch wins, and on a tie the lower id") {
  ClaimRank low{{1}, made_id(1)}, high{{2}, made_id(2)}, tie{{2}, made_id(3)};
  CHECK(high.beats(low));
  CHECK_FALSE(low.beats(high));
  CHECK(high.beats(tie) != tie.beats(high));
  CHECK(high.beats(tie) == (high.id < tie.id));
  CHECK_FALSE(high.beats(high));
}
