#pragma once

#include <functional>
#include <vector>

#include "common/cluster/ids.h"

namespace slotd {

// Up to this many members everybody is linked with everybody.
inline constexpr size_t kFullMeshNodes = 13;
// Above it, each member has one successor and one predecessor on each of these rings.
inline constexpr size_t kOverlayRings = 6;

static_assert(kFullMeshNodes - 1 == 2 * kOverlayRings, "the degree does not jump at the limit");

// Whom `self` keeps links to, ascending: a function of the membership alone, symmetric, of at most
// 2 * kOverlayRings members whatever the cluster's size. Above kFullMeshNodes it is the union of
// rings that order the members by a hash of (ring, id): a random regular graph and so an expander
// with high probability (Friedman 2008; used for observers by Rapid, Suresh et al. 2018,
// section 4.1): its diameter is O(log N) and no cut is thin.
//
// A ring neighbour for which `unreachable` holds stays in the result, and the next reachable one
// behind it on that ring joins it, so that many failures at once cannot cut a node off.
std::vector<NodeId> overlay_peers(const std::vector<NodeId>& members, const NodeId& self,
                                  const std::function<bool(const NodeId&)>& unreachable);

}  // namespace slotd
