#include "common/cluster/router.h"

#include <algorithm>

namespace slotd {
namespace {

bool may_serve(const ClusterView& view, const RouteRequest& request) {
  if (view.standing == Standing::Ok) return true;
  if (view.standing == Standing::Removed || view.standing == Standing::Joining) return false;
  return request.read_only && request.reads_when_down;
}

Route route_as_owner(const ClusterView& view, Slot slot,
                     const std::function<KeyPresence()>& presence) {
  auto open = view.migrating.find(slot);
  if (open == view.migrating.end()) return {RouteKind::Serve, slot};
  KeyPresence keys = presence();
  if (keys.absent == 0) return {RouteKind::Serve, slot};
  // Keys that are partly here cannot be served by either side until they are together again.
  if (keys.present > 0) return {RouteKind::TryAgain, slot};
  const Member* target = view.find(open->second);
  if (target == nullptr) return {RouteKind::Serve, slot};
  return {RouteKind::Ask, slot, target};
}

Route route_as_stranger(const ClusterView& view, const RouteRequest& request, Slot slot,
                        const Member* owner, const std::function<KeyPresence()>& presence) {
  bool importing = view.importing.contains(slot);
  if (importing && request.migrating_copy) return {RouteKind::Serve, slot};
  if (importing && request.asking) {
    bool incomplete = request.slots.size() > 1 && presence().absent > 0;
    return {incomplete ? RouteKind::TryAgain : RouteKind::Serve, slot};
  }
  return {RouteKind::Moved, slot, owner};
}

}  // namespace

Route route(const ClusterView& view, const RouteRequest& request,
            const std::function<KeyPresence()>& presence) {
  if (request.slots.empty()) return {RouteKind::Serve};
  Slot slot = request.slots.front();
  bool same = std::all_of(request.slots.begin(), request.slots.end(),
                          [slot](Slot other) { return other == slot; });
  if (!same) return {RouteKind::CrossSlot, slot};
  const Member* owner = view.owner(slot);
  if (owner == nullptr) return {RouteKind::Unbound, slot};
  if (!may_serve(view, request)) return {RouteKind::Down, slot};
  if (owner->record->id == view.myself) return route_as_owner(view, slot, presence);
  return route_as_stranger(view, request, slot, owner, presence);
}

}  // namespace slotd
