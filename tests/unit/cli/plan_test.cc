#include <catch2/catch.hpp>

#include "cli/plan/even_split.h"
#include "cli/plan/migration_plan.h"
#include "common/slot/slot_ranges.h"

using namespace slotd;

namespace {

const std::string kIdA(40, 'a');
const std::string kIdB(40, 'b');
const std::string kIdC(40, 'c');

// a: 0-99, b: 100-199, c: a replica of a.
Topology two_masters() {
  auto nodes =
      parse_nodes_text(kIdA + " 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-99\n" +
                       kIdB + " 127.0.0.1:7001@17001 master - 0 0 2 connected 100-199\n" + kIdC +
                       " 127.0.0.1:7002@17002 slave " + kIdA + " 0 0 1 connected\n");
  REQUIRE(nodes.ok());
  return Topology{{"127.0.0.1", 7000}, *std::move(nodes)};
}

SlotSet slots(const std::string& text) {
  return parse_slot_ranges(text).value();
}

void check_refused(const std::string& text, const std::string& from, const std::string& to,
                   const std::string& part) {
  auto plan = plan_migration(two_masters(), slots(text), from, to);
  REQUIRE(!plan.ok());
  INFO(plan.error().message);
  CHECK(plan.error().message.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("an even split covers all slots once, in runs that differ by one at most", "[cli]") {
  for (size_t parts : {size_t{1}, size_t{2}, size_t{3}, size_t{7}, size_t{1000}, kSlotCount}) {
    INFO(parts);
    std::vector<SlotRange> ranges = even_split(parts);
    REQUIRE(ranges.size() == parts);
    size_t next = 0;
    for (SlotRange range : ranges) {
      CHECK(range.first == next);
      size_t length = static_cast<size_t>(range.last - range.first) + 1;
      CHECK((length == kSlotCount / parts || length == kSlotCount / parts + 1));
      next = range.last + size_t{1};
    }
    CHECK(next == kSlotCount);
  }
}

TEST_CASE("a migration takes slots from whoever owns them", "[cli]") {
  Topology topology = two_masters();
  auto plan = plan_migration(topology, slots("50-149"), "", kIdB);
  REQUIRE(plan.ok());
  CHECK(plan->target->id.hex() == kIdB);
  CHECK(plan->count() == 50);
  REQUIRE(plan->sources.size() == 1);
  CHECK(plan->sources.begin()->first->id.hex() == kIdA);
  CHECK(format_slot_ranges(plan->sources.begin()->second) == "50-99");
  CHECK(format_slot_ranges(plan->there_already) == "100-149");
}

TEST_CASE("a migration that was done before has nothing left to do", "[cli]") {
  Topology topology = two_masters();
  auto plan = plan_migration(topology, slots("100-199"), "127.0.0.1:7000", kIdB);
  REQUIRE(plan.ok());
  CHECK(plan->count() == 0);
  CHECK(plan->there_already.count() == 100);
}

TEST_CASE("a migration that cannot be meant is refused with the reason", "[cli]") {
  check_refused("190-200", "", kIdA, "slots 200 belong to nobody");
  check_refused("0-9", kIdB, kIdB, "not to " + kIdB);
  check_refused("0-9", "", "d", "no node is called 'd'");
  check_refused("0-9", "d", kIdB, "no node is called 'd'");
  check_refused("0-9", "", kIdC, "a replica");
}
