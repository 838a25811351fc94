#include "common/cluster/membership.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "tests/unit/cluster/made_records.h"

using namespace slotd;
using namespace slotd::test;

namespace {

using Outcome = Membership::Outcome;

MemberNews news(uint64_t number, uint64_t version, uint64_t epoch, const SlotSet& slots,
                std::vector<Dependency> after = {}) {
  auto record = std::make_shared<NodeRecord>();
  record->id = made_id(number);
  record->version = {version};
  record->config_epoch = {epoch};
  record->slots = MySlots::encode(slots);
  record->after = std::move(after);
  return {record, false};
}

const NodeId* owner_of(const Membership& membership, Slot slot) {
  MemberIndex index = membership.slots().owner(slot);
  return index == kNoMember ? nullptr : &membership.at(index).id;
}

bool owned_by(const Membership& membership, Slot slot, uint64_t number) {
  const NodeId* owner = owner_of(membership, slot);
  return owner != nullptr && *owner == made_id(number);
}

// What some nodes said over time: several versions each, verdicts, removals and returns under a
// later generation. Dependencies name versions that exist, so that nothing waits for ever.
std::vector<Rumour> made_rumours(Rng& rng) {
  constexpr uint64_t kNodes = 6, kVersions = 4;
  std::vector<Rumour> rumours;
  for (uint64_t n = 0; n < kNodes; ++n) {
    bool returned = rng.one_in(3);
    for (uint64_t v = 1; v <= kVersions; ++v) {
      NodeRecord record = made_record(n, rng);
      record.generation = {returned && v > 2 ? 1u : 0u};
      record.version = {v};
      record.after.clear();
      if (rng.one_in(3)) record.after.push_back({made_id(rng.below(kNodes)), {1 + rng.below(v)}});
      auto shared = std::make_shared<const NodeRecord>(record);
      rumours.push_back(MemberNews{shared, false});
      if (rng.one_in(4)) rumours.push_back(MemberNews{shared, true});
    }
    if (returned || rng.one_in(6)) rumours.push_back(Removal{made_id(n), {0}});
  }
  return rumours;
}

// The owner of each slot from the records that are left, slot by slot.
const NodeId* dumb_owner(const Membership& membership, Slot slot) {
  const MemberEntry* best = nullptr;
  for (const MemberEntry& entry : membership.entries()) {
    if (entry.removed() || !entry.record->slots.decode().contains(slot)) continue;
    bool wins = best == nullptr || ClaimRank{entry.record->config_epoch, entry.id}.beats(
                                       {best->record->config_epoch, best->id});
    if (wins) best = &entry;
  }
  return best == nullptr ? nullptr : &best->id;
}

void require_same(const Membership& a, const Membership& b) {
  REQUIRE(a.digest() == b.digest());
  REQUIRE(a.bucket_digests() == b.bucket_digests());
  REQUIRE(a.member_ids() == b.member_ids());
  for (size_t s = 0; s < kSlotCount; ++s) {
    const NodeId* left = owner_of(a, static_cast<Slot>(s));
    const NodeId* right = owner_of(b, static_cast<Slot>(s));
    bool same = (left == nullptr) == (right == nullptr) && (left == nullptr || *left == *right);
    if (!same) FAIL("slot " << s << " depends on the order");
  }
}

Membership merged(const std::vector<Rumour>& rumours) {
  Membership membership;
  for (const Rumour& rumour : rumours) membership.merge(rumour, 0);
  return membership;
}

}  // namespace

TEST_CASE("the same rumours in any order, once or twice, give the same view") {
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<Rumour> rumours = made_rumours(rng);
    Membership first = merged(rumours);
    for (int order = 0; order < 4; ++order) {
      std::vector<Rumour> again = rumours;
      if (order % 2 == 1) again.insert(again.end(), rumours.begin(), rumours.end());
      shuffle(again, rng);
      Membership second = merged(again);
      require_same(first, second);
    }
  }
}

TEST_CASE("owners follow from the records, by rank") {
  Rng rng(2);
  for (int round = 0; round < 10; ++round) {
    Membership membership = merged(made_rumours(rng));
    for (Slot slot = 0; slot < kSlotCount; slot = static_cast<Slot>(slot + 61)) {
      const NodeId* expected = dumb_owner(membership, slot);
      const NodeId* owner = owner_of(membership, slot);
      REQUIRE((owner == nullptr) == (expected == nullptr));
      if (owner != nullptr) REQUIRE(*owner == *expected);
    }
  }
}

TEST_CASE("R1: an older version is told apart and changes nothing") {
  Membership membership;
  CHECK(membership.merge(news(1, 2, 1, SlotSet::of({0, 9})), 0).outcome == Outcome::Changed);
  uint64_t digest = membership.digest();
  CHECK(membership.merge(news(1, 1, 9, SlotSet::full()), 0).outcome == Outcome::Older);
  CHECK(membership.merge(news(1, 2, 1, SlotSet::of({0, 9})), 0).outcome == Outcome::Same);
  CHECK(membership.digest() == digest);
  CHECK(membership.slots().owner(10) == kNoMember);
}

TEST_CASE("R2: a stale owner that returns does not win against a newer claim") {
  Membership membership;
  membership.merge(news(1, 1, 1, SlotSet::of({0, 99})), 0);
  membership.merge(news(2, 1, 5, SlotSet::of({0, 99})), 0);
  CHECK(owned_by(membership, 50, 2));
  membership.merge(news(1, 7, 2, SlotSet::of({0, 99})), 0);
  CHECK(owned_by(membership, 50, 2));
}

TEST_CASE("R3: an owner that drops a slot leaves it unassigned") {
  Membership membership;
  membership.merge(news(1, 1, 1, SlotSet::of({0, 99})), 0);
  Membership::Change change = membership.merge(news(1, 2, 1, SlotSet::of({0, 49})), 0);
  CHECK(owner_of(membership, 50) == nullptr);
  CHECK(change.moved == SlotSet::of({50, 99}));
}

TEST_CASE("R3: in a move no order of the two records shows the slot unassigned") {
  MemberNews before = news(1, 1, 1, SlotSet::of({0, 99}));
  MemberNews dropped = news(1, 2, 1, SlotSet::of({0, 49}), {{made_id(2), {2}}});
  MemberNews taken = news(2, 2, 5, SlotSet::of({50, 99}));
  SECTION("the drop comes first and waits") {
    Membership membership;
    membership.merge(before, 0);
    CHECK(membership.merge(dropped, 0).outcome == Outcome::Waiting);
    CHECK(owned_by(membership, 50, 1));
    Membership::Change change = membership.merge(taken, 0);
    CHECK(change.changed.size() == 2);
    CHECK(owned_by(membership, 50, 2));
    CHECK(membership.member(made_id(1))->record->version == Version{2});
  }
  SECTION("the claim comes first") {
    Membership membership;
    membership.merge(before, 0);
    membership.merge(taken, 0);
    CHECK(owned_by(membership, 50, 2));
    CHECK(membership.merge(dropped, 0).outcome == Outcome::Changed);
    CHECK(owned_by(membership, 50, 2));
  }
}

TEST_CASE("a record that waits for a removed node waits no longer") {
  Membership membership;
  membership.merge(news(1, 1, 1, SlotSet::of({0, 99})), 0);
  membership.merge(news(2, 1, 2, SlotSet()), 0);
  CHECK(membership.merge(news(1, 2, 1, SlotSet(), {{made_id(2), {9}}}), 0).outcome ==
        Outcome::Waiting);
  membership.merge(Removal{made_id(2), {0}}, 0);
  CHECK(membership.member(made_id(1))->record->version == Version{2});
}

TEST_CASE("records that wait for one another are applied together") {
  Membership membership;
  MemberNews a = news(1, 5, 5, SlotSet::of({0, 9}), {{made_id(2), {7}}});
  MemberNews b = news(2, 7, 6, SlotSet::of({10, 19}), {{made_id(1), {5}}});
  CHECK(membership.merge(a, 0).outcome == Outcome::Waiting);
  CHECK(membership.merge(b, 0).outcome == Outcome::Changed);
  CHECK(owned_by(membership, 0, 1));
  CHECK(owned_by(membership, 10, 2));
}

TEST_CASE("R7: a removal holds against every version until a later generation") {
  Membership membership;
  membership.merge(news(1, 1, 1, SlotSet::of({0, 99})), 0);
  Membership::Change change = membership.merge(Removal{made_id(1), {0}}, 0);
  CHECK(change.moved == SlotSet::of({0, 99}));
  CHECK(membership.member_count() == 0);
  CHECK(membership.merge(news(1, 1000, 50, SlotSet::full()), 0).outcome == Outcome::Older);
  auto met_again = std::make_shared<NodeRecord>(*news(1, 2, 1, SlotSet::of({0, 9})).record);
  met_again->generation = {1};
  CHECK(membership.merge(MemberNews{met_again, false}, 0).joined.size() == 1);
  CHECK(owned_by(membership, 5, 1));
}

TEST_CASE("a verdict is about one version and ends with the next") {
  Membership membership;
  MemberNews alive = news(1, 1, 1, SlotSet::of({0, 9}));
  membership.merge(alive, 0);
  membership.merge(MemberNews{alive.record, true}, 0);
  CHECK(membership.member(made_id(1))->failed);
  CHECK(membership.merge(alive, 0).outcome == Outcome::Older);
  membership.merge(news(1, 2, 1, SlotSet::of({0, 9})), 0);
  CHECK_FALSE(membership.member(made_id(1))->failed);
}

TEST_CASE("changes are visited oldest first, each entry once") {
  Membership membership;
  membership.merge(news(1, 1, 1, SlotSet()), 0);
  membership.merge(news(2, 1, 1, SlotSet()), 0);
  membership.merge(news(1, 2, 1, SlotSet()), 0);
  std::vector<NodeId> seen;
  membership.for_each_after(0, [&](const MemberEntry& entry) {
    seen.push_back(entry.id);
    return true;
  });
  CHECK(seen == std::vector<NodeId>{made_id(2), made_id(1)});
}

TEST_CASE("changes are visited by their last one, however often entries change and go") {
  Membership membership;
  Rng rng(5);
  std::vector<uint64_t> order;  // numbers, the one that changed last at the end
  uint64_t mark = 0;
  for (uint64_t version = 1; version <= 600; ++version) {
    uint64_t number = rng.below(20);
    membership.merge(news(number, version, 1, SlotSet()), 0);
    std::erase(order, number);
    order.push_back(number);
    if (version == 590) mark = membership.last_change();
  }
  std::vector<NodeId> expected, seen, since;
  for (uint64_t number : order) expected.push_back(made_id(number));
  membership.for_each_after(0, [&](const MemberEntry& entry) {
    seen.push_back(entry.id);
    if (entry.change > mark) since.push_back(entry.id);
    return true;
  });
  CHECK(seen == expected);
  std::vector<NodeId> visited;
  membership.for_each_after(mark, [&](const MemberEntry& entry) {
    visited.push_back(entry.id);
    return true;
  });
  CHECK(visited == since);
}

TEST_CASE("removals beyond the limit are forgotten, the oldest first") {
  Membership membership;
  for (uint64_t number = 0; number <= kMaxRemovals; ++number) {
    membership.merge(Removal{made_id(number), {0}}, 0);
  }
  CHECK(membership.find(made_id(0)) == nullptr);
  CHECK(membership.find_hash(Membership::id_hash(made_id(0))) == nullptr);
  REQUIRE(membership.find(made_id(1)) != nullptr);
  CHECK(membership.find_hash(Membership::id_hash(made_id(1))) == membership.find(made_id(1)));
  size_t visited = 0;
  membership.for_each_after(0, [&](const MemberEntry& entry) {
    visited += entry.removed() ? 1u : 0u;
    return true;
  });
  CHECK(visited == kMaxRemovals);
}

TEST_CASE("ids are ordered as their bytes are") {
  Rng rng(9);
  for (int i = 0; i < 2000; ++i) {
    NodeId a = made_id(rng.next()), b = a;
    b.bytes[rng.below(kNodeIdBytes)] = static_cast<uint8_t>(rng.next());
    CHECK((a < b) == (memcmp(a.bytes.data(), b.bytes.data(), kNodeIdBytes) < 0));
    CHECK((a == b) == (a <=> b == 0));
  }
}
