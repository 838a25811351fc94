#include "common/cluster/router.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/unit/cluster/made_records.h"

using namespace slotd;
using namespace slotd::test;

namespace {

constexpr Slot kMine = 10, kTheirs = 20, kNobodys = 30, kLeaving = 40, kComing = 50;

const NodeId kMyself = made_id(1);
const NodeId kOther = made_id(2);

// Two members: this node owns kMine and kLeaving (migrating), the other kTheirs and kComing
// (importing).
ClusterView made_view() {
  ClusterView view;
  view.myself = kMyself;
  view.owners.fill(ClusterView::kNobody);
  for (const NodeId& id : {kMyself, kOther}) {
    auto record = std::make_shared<NodeRecord>();
    record->id = id;
    view.members.push_back({record, Health::Ok, 2});
  }
  std::sort(view.members.begin(), view.members.end(),
            [](const Member& a, const Member& b) { return a.record->id < b.record->id; });
  auto index = [&](const NodeId& id) {
    return static_cast<uint16_t>(view.find(id) - view.members.data());
  };
  view.owners[kMine] = view.owners[kLeaving] = index(kMyself);
  view.owners[kTheirs] = view.owners[kComing] = index(kOther);
  view.migrating[kLeaving] = kOther;
  view.importing[kComing] = kOther;
  return view;
}

struct Case {
  const char* what;
  std::vector<Slot> slots;
  RouteKind expected;
  KeyPresence keys = {};
  bool asking = false;
  bool migrating_copy = false;
};

RouteKind kind_of_route(const ClusterView& view, const Case& item) {
  RouteRequest request;
  request.slots = item.slots;
  request.asking = item.asking;
  request.migrating_copy = item.migrating_copy;
  return route(view, request, [&] { return item.keys; }).kind;
}

}  // namespace

TEST_CASE("where a command is answered") {
  const Case cases[] = {
      {"no keys", {}, RouteKind::Serve},
      {"our slot", {kMine}, RouteKind::Serve},
      {"two keys of our slot", {kMine, kMine}, RouteKind::Serve},
      {"another's slot", {kTheirs}, RouteKind::Moved},
      {"another's slot, asking", {kTheirs}, RouteKind::Moved, {}, true},
      {"keys of two slots", {kMine, kTheirs}, RouteKind::CrossSlot},
      {"keys of two slots that are both ours", {kMine, kLeaving}, RouteKind::CrossSlot},
      {"nobody's slot", {kNobodys}, RouteKind::Unbound},
      {"migrating, the key is here", {kLeaving}, RouteKind::Serve, {1, 0}},
      {"migrating, the key is not here", {kLeaving}, RouteKind::Ask, {0, 1}},
      {"migrating, all keys are here", {kLeaving, kLeaving}, RouteKind::Serve, {2, 0}},
      {"migrating, some keys are here", {kLeaving, kLeaving}, RouteKind::TryAgain, {1, 1}},
      {"migrating, no key is here", {kLeaving, kLeaving}, RouteKind::Ask, {0, 2}},
      {"importing, without ASKING", {kComing}, RouteKind::Moved, {1, 0}},
      {"importing, asking", {kComing}, RouteKind::Serve, {0, 1}, true},
      {"importing, asking, all keys here", {kComing, kComing}, RouteKind::Serve, {2, 0}, true},
      {"importing, asking, a key missing", {kComing, kComing}, RouteKind::TryAgain, {1, 1}, true},
      {"importing, a key being moved", {kComing}, RouteKind::Serve, {}, false, true},
      {"a key moved to the wrong node", {kTheirs}, RouteKind::Moved, {}, false, true},
  };
  ClusterView view = made_view();
  for (const Case& item : cases) {
    CAPTURE(item.what);
    CHECK(kind_of_route(view, item) == item.expected);
  }
}

TEST_CASE("redirects name slot and node") {
  ClusterView view = made_view();
  std::vector<Slot> theirs{kTheirs}, leaving{kLeaving};
  auto absent = [] { return KeyPresence{0, 1}; };
  Route moved = route(view, {.slots = theirs}, absent);
  CHECK(moved.slot == kTheirs);
  CHECK(moved.target->record->id == kOther);
  Route ask = route(view, {.slots = leaving}, absent);
  CHECK(ask.kind == RouteKind::Ask);
  CHECK(ask.slot == kLeaving);
  CHECK(ask.target->record->id == kOther);
}

TEST_CASE("keys are looked for only when the slot is open") {
  ClusterView view = made_view();
  auto never = []() -> KeyPresence {
    FAIL("a closed slot was looked into");
    return {};
  };
  for (Slot slot : {kMine, kTheirs, kNobodys}) {
    std::vector<Slot> slots{slot, slot};
    route(view, {.slots = slots}, never);
  }
}

TEST_CASE("R5: a node that may not serve answers nothing with keys") {
  ClusterView view = made_view();
  auto absent = [] { return KeyPresence{}; };
  std::vector<Slot> mine{kMine};
  for (Standing standing :
       {Standing::Removed, Standing::Joining, Standing::Minority, Standing::SlotsUncovered}) {
    view.standing = standing;
    CHECK(route(view, {.slots = mine}, absent).kind == RouteKind::Down);
    CHECK(route(view, {}, absent).kind == RouteKind::Serve);
  }
}

TEST_CASE("reads are served while down where that is configured, unless ownership is unknown") {
  ClusterView view = made_view();
  auto absent = [] { return KeyPresence{}; };
  std::vector<Slot> mine{kMine};
  RouteRequest read{.slots = mine, .read_only = true, .reads_when_down = true};
  RouteRequest write{.slots = mine, .read_only = false, .reads_when_down = true};
  view.standing = Standing::Minority;
  CHECK(route(view, read, absent).kind == RouteKind::Serve);
  CHECK(route(view, write, absent).kind == RouteKind::Down);
  view.standing = Standing::Joining;
  CHECK(route(view, read, absent).kind == RouteKind::Down);
  view.standing = Standing::Removed;
  CHECK(route(view, read, absent).kind == RouteKind::Down);
}
