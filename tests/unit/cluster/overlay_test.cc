#include "common/cluster/overlay.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "tests/unit/cluster/made_records.h"

using namespace slotd;
using namespace slotd::test;

namespace {

using Graph = std::map<NodeId, std::vector<NodeId>>;

std::vector<NodeId> made_members(size_t count) {
  std::vector<NodeId> members;
  for (size_t i = 0; i < count; ++i) members.push_back(made_id(i));
  std::sort(members.begin(), members.end());
  return members;
}

Graph overlay(const std::vector<NodeId>& members, const std::set<NodeId>& dead) {
  Graph graph;
  for (const NodeId& id : members) {
    if (dead.contains(id)) continue;
    graph[id] = overlay_peers(members, id, [&](const NodeId& peer) { return dead.contains(peer); });
  }
  return graph;
}

// Over links that at least one live side wants.
bool connected(const Graph& graph, const std::set<NodeId>& dead) {
  std::map<NodeId, std::set<NodeId>> links;
  for (const auto& [id, peers] : graph) {
    for (const NodeId& peer : peers) {
      if (dead.contains(peer)) continue;
      links[id].insert(peer);
      links[peer].insert(id);
    }
  }
  std::vector<NodeId> queue{graph.begin()->first};
  std::set<NodeId> seen(queue.begin(), queue.end());
  while (!queue.empty()) {
    NodeId id = queue.back();
    queue.pop_back();
    for (const NodeId& peer : links[id]) {
      if (seen.insert(peer).second) queue.push_back(peer);
    }
  }
  return seen.size() == graph.size();
}

void require_sound(const Graph& graph) {
  for (const auto& [id, peers] : graph) {
    REQUIRE(std::is_sorted(peers.begin(), peers.end()));
    REQUIRE(std::adjacent_find(peers.begin(), peers.end()) == peers.end());
    for (const NodeId& peer : peers) {
      REQUIRE(peer != id);
      const std::vector<NodeId>& back = graph.at(peer);
      REQUIRE(std::binary_search(back.begin(), back.end(), id));
    }
  }
}

}  // namespace

TEST_CASE("up to the limit everybody is linked with everybody") {
  for (size_t count = 1; count <= kFullMeshNodes; ++count) {
    Graph graph = overlay(made_members(count), {});
    require_sound(graph);
    for (const auto& [id, peers] : graph) REQUIRE(peers.size() == count - 1);
  }
}

TEST_CASE("above it links are bounded, symmetric and connect all") {
  for (size_t count = kFullMeshNodes + 1; count <= 300; count += count < 40 ? 1 : 13) {
    CAPTURE(count);
    Graph graph = overlay(made_members(count), {});
    require_sound(graph);
    REQUIRE(connected(graph, {}));
    for (const auto& [id, peers] : graph) REQUIRE(peers.size() <= 2 * kOverlayRings);
  }
}

TEST_CASE("the order of the members does not matter") {
  Rng rng(1);
  std::vector<NodeId> members = made_members(100);
  Graph graph = overlay(members, {});
  shuffle(members, rng);
  CHECK(overlay(members, {}) == graph);
}

TEST_CASE("with half of the members dead the living stay connected") {
  Rng rng(2);
  for (int round = 0; round < 10; ++round) {
    std::vector<NodeId> members = made_members(100);
    std::set<NodeId> dead;
    while (dead.size() < 49) dead.insert(members[rng.below(members.size())]);
    Graph graph = overlay(members, dead);
    REQUIRE(connected(graph, dead));
  }
}

TEST_CASE("an unreachable neighbour stays and the next one joins it") {
  std::vector<NodeId> members = made_members(50);
  NodeId self = members[7];
  auto all_well = [](const NodeId&) { return false; };
  std::vector<NodeId> before = overlay_peers(members, self, all_well);
  NodeId lost = before.front();
  std::vector<NodeId> after =
      overlay_peers(members, self, [&](const NodeId& id) { return id == lost; });
  CHECK(std::includes(after.begin(), after.end(), before.begin(), before.end()));
  CHECK(after.size() >= before.size());
}
