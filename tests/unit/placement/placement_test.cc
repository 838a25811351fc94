#include "common/placement/placement.h"

#include <array>
#include <catch2/catch.hpp>
#include <limits>

#include "cli/plan/even_split.h"
#include "common/placement/fnv.h"
#include "common/slot/slot.h"

using namespace slotd;

namespace {

const std::vector<std::string> kThree = {"192.168.7.1", "192.168.7.2", "192.168.7.3"};
const std::vector<std::string> kFour = {"192.168.7.1", "192.168.7.2", "192.168.7.3", "192.168.7.4"};
const std::vector<std::string> kTwo = {"192.168.7.1", "192.168.7.3"};

std::string key(int i) { return "name" + std::to_string(i); }

std::array<int, 3> counts(const Placement& placement) {
  std::array<int, 3> per_node{};
  for (int i = 0; i < 100; ++i) ++per_node[placement.node_of(key(i))];
  return per_node;
}

// Keys that stay on the node of the same name, of 100.
int kept(const Placement& before, const Placement& after, const std::vector<std::string>& names) {
  int same = 0;
  for (int i = 0; i < 100; ++i) {
    if (kThree[before.node_of(key(i))] == names[after.node_of(key(i))]) ++same;
  }
  return same;
}

}  // namespace

TEST_CASE("fnv1_32 gives the known values") {
  CHECK(fnv1_32("192.168.7.1") == 196713682);
  CHECK(fnv1_32("192.168.7.2") == 467665103);
  CHECK(fnv1_32("192.168.7.3") == 542751888);
  CHECK(fnv1_32("name") == 117328155);
  CHECK(absolute(-5) == 5);
  CHECK(absolute(std::numeric_limits<int32_t>::min()) == std::numeric_limits<int32_t>::max());
}

TEST_CASE("modulo spreads and moves keys as known") {
  auto three = make_modulo(kThree);
  CHECK(counts(*three) == std::array<int, 3>{36, 31, 33});
  CHECK(kept(*three, *make_modulo(kFour), kFour) == 27);
  CHECK(kept(*three, *make_modulo(kTwo), kTwo) == 40);
}

TEST_CASE("rings spread and move keys as known") {
  auto plain = make_ring(kThree);
  CHECK(counts(*plain) == std::array<int, 3>{81, 16, 3});
  CHECK(kept(*plain, *make_ring(kFour), kFour) == 33);
  CHECK(kept(*plain, *make_ring(kTwo), kTwo) == 84);
  auto virtual_nodes = make_ring(kThree, 10);
  CHECK(counts(*virtual_nodes) == std::array<int, 3>{46, 32, 22});
  CHECK(kept(*virtual_nodes, *make_ring(kFour, 10), kFour) == 71);
  CHECK(kept(*virtual_nodes, *make_ring(kTwo, 10), kTwo) == 68);
}

TEST_CASE("hash slots follow the even split") {
  for (size_t n : {1u, 3u, 7u, 100u}) {
    auto placement = make_slots(std::vector<std::string>(n, "node"));
    std::vector<SlotRange> parts = even_split(n);
    for (int i = 0; i < 2000; ++i) {
      SlotRange part = parts[placement->node_of(key(i))];
      Slot slot = key_slot(key(i));
      REQUIRE((slot >= part.first && slot <= part.last));
    }
  }
}
