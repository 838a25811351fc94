#pragma once

#include <vector>

#include "common/node/node.h"
#include "common/text/heartbeats_reply.h"

namespace slotd {

// The node's counters in the form that the replies are written from.
std::vector<BusCount> bus_counts(const Traffic& traffic);
// All peers together first, then each by id.
std::vector<HeartbeatRow> heartbeat_rows(const Node& node);

}  // namespace slotd
