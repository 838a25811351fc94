#include <catch2/catch.hpp>

#include "cli/plan/migration_plan.h"
#include "cli/printer.h"

using namespace slotd;

namespace {

NodeLine master(uint8_t n, SlotRange slots) {
  NodeLine node;
  node.id.bytes.fill(n);
  node.address = {"10.0.0.1", static_cast<uint16_t>(7000 + n),
                  static_cast<uint16_t>(17000 + n), ""};
  node.master = true;
  node.slots.insert(slots);
  return node;
}

// 1 owns 0-99, 2 owns 100-199, 3 owns 200-299; 10-19 are to go to 2.
struct Moving {
  Topology topology{{"10.0.0.1", 7001}, {master(1, {0, 99}), master(2, {100, 199}),
                                         master(3, {200, 299})}};
  NodeLine source = topology.nodes[0];
  NodeLine target = topology.nodes[1];
  NodeId third = topology.nodes[2].id;

  std::string refusal() const {
    Result<MigrationPlan> plan =
        plan_migration(topology, SlotSet::of({10, 19}), "", target.id.hex());
    REQUIRE(plan.ok());
    Result<void> fits = check_open_slots(*plan, target, {source});
    return fits ? "" : fits.error().message;
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a plan fits slots that are closed, or open between the same two", "[cli]") {
  Moving moving;
  CHECK(moving.refusal().empty());
  moving.source.migrating = {{Slot{10}, moving.target.id}};
  CHECK(moving.refusal().empty());
  moving.target.importing = {{Slot{10}, moving.source.id}, {Slot{11}, moving.source.id}};
  CHECK(moving.refusal().empty());
}

TEST_CASE("a slot that is open with a third node is refused, on either side", "[cli]") {
  Moving moving;
  moving.source.migrating = {{Slot{12}, moving.third}};
  CHECK(contains(moving.refusal(), "slot 12 is open at 10.0.0.1:7001 with " + moving.third.hex()));
  moving.source.migrating.clear();
  moving.target.importing = {{Slot{13}, moving.third}};
  CHECK(contains(moving.refusal(), "slot 13 is open at 10.0.0.1:7002 with " + moving.third.hex()));
}

TEST_CASE("slots that are open elsewhere, but are not to move, are no obstacle", "[cli]") {
  Moving moving;
  moving.source.migrating = {{Slot{50}, moving.third}};
  moving.target.importing = {{Slot{250}, moving.third}};
  CHECK(moving.refusal().empty());
}

TEST_CASE("a source that has lost a slot meanwhile is named", "[cli]") {
  Moving moving;
  moving.source.slots.erase(SlotRange{15, 16});
  CHECK(contains(moving.refusal(), "10.0.0.1:7001 says that slots 15-16 are not its own"));
}

TEST_CASE("a document with bytes that are no UTF-8 is still a document", "[cli]") {
  std::string text = json_text({{"key", "a\xff" "b"}});
  CHECK(Json::accept(text));
  CHECK(contains(text, "a\xef\xbf\xbd" "b"));
}
