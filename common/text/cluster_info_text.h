#pragma once

#include <span>
#include <string>
#include <string_view>

#include "common/cluster/cluster_view.h"
#include "common/text/bus_counts.h"

namespace slotd {

// Why a node serves no keys, for people; "ok" when it does.
std::string_view standing_text(Standing standing);

// CLUSTER INFO: Redis' lines in Redis' order, then our own. `save_error` is empty when the state is
// on disk, else why it is not.
std::string cluster_info_text(const ClusterView& view, std::span<const BusCount> kinds,
                              std::string_view save_error);

}  // namespace slotd
