#include "common/cluster/overlay.h"

#include <algorithm>

namespace slotd {
namespace {

// How far a detour looks past unreachable neighbours.
constexpr size_t kDetourSteps = 4;

struct Neighbour {
  uint64_t distance;  // along the ring; never 0
  const NodeId* id;

  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.distance != b.distance ? a.distance < b.distance : *a.id < *b.id;
  }
};

// The kDetourSteps nearest members in each direction of one ring.
struct RingSide {
  std::array<Neighbour, kDetourSteps> nearest;
  size_t size = 0;

  void offer(Neighbour candidate) {
    if (size == kDetourSteps && !(candidate < nearest[size - 1])) return;
    if (size < kDetourSteps) ++size;
    size_t at = size - 1;
    for (; at > 0 && candidate < nearest[at - 1]; --at) nearest[at] = nearest[at - 1];
    nearest[at] = candidate;
  }
};

void take_side(const RingSide& side, const std::function<bool(const NodeId&)>& unreachable,
               std::vector<NodeId>& peers) {
  for (size_t step = 0; step < side.size; ++step) {
    const NodeId& id = *side.nearest[step].id;
    bool detour_goes_on = unreachable(id);
    if (step == 0 || !detour_goes_on) peers.push_back(id);
    if (!detour_goes_on) return;
  }
}

}  // namespace

std::vector<NodeId> overlay_peers(const std::vector<NodeId>& members, const NodeId& self,
                                  const std::function<bool(const NodeId&)>& unreachable) {
  std::vector<NodeId> peers;
  if (members.size() <= kFullMeshNodes) {
    std::copy_if(members.begin(), members.end(), std::back_inserter(peers),
                 [&](const NodeId& id) { return id != self; });
    std::sort(peers.begin(), peers.end());
    return peers;
  }
  for (uint64_t ring = 0; ring < kOverlayRings; ++ring) {
    uint64_t origin = self.hash(ring);
    RingSide after, before;
    for (const NodeId& id : members) {
      if (id == self) continue;
      uint64_t distance = id.hash(ring) - origin;
      after.offer({distance, &id});
      before.offer({~distance + 1, &id});
    }
    take_side(after, unreachable, peers);
    take_side(before, unreachable, peers);
  }
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  return peers;
}

}  // namespace slotd
