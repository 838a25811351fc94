#pragma once

#include <functional>
#include <span>

#include "common/cluster/cluster_view.h"

namespace slotd {

enum class RouteKind : uint8_t {
  Serve,
  Moved,      // to `target`
  Ask,        // at `target`
  TryAgain,   // some keys are here, some are not
  CrossSlot,  // keys of more than one slot
  Unbound,    // the slot has no owner
  Down,       // this node may not serve (see ClusterView::standing)
};

struct Route {
  RouteKind kind;
  Slot slot = 0;
  const Member* target = nullptr;  // lives as long as the view
};

struct RouteRequest {
  std::span<const Slot> slots;   // one a key; empty for a command without keys
  bool asking = false;           // the client sent ASKING just before
  bool migrating_copy = false;   // RESTORE-ASKING and the like: always served by an importing node
  bool read_only = false;        // reads may be served while down if the configuration allows
  bool reads_when_down = false;  // cluster-allow-reads-when-down
};

struct KeyPresence {
  size_t present = 0;
  size_t absent = 0;
};

// Where a command with these keys is to be answered; Redis Cluster specification, "MOVED and ASK
// redirection". `presence` is asked only when a slot is open. Pure: the same view, the same answer.
Route route(const ClusterView& view, const RouteRequest& request,
            const std::function<KeyPresence()>& presence);

}  // namespace slotd
