#pragma once

#include <string_view>

#include "common/cluster/cluster_view.h"
#include "common/resp/writer.h"

namespace slotd {

// CLUSTER SHARDS as Redis 7.0 gives it: one element a master, with or without slots, and its
// replicas; by id. Nodes without an address are left out. `own_ip` as in write_slots_reply.
void write_shards_reply(RespWriter& out, const ClusterView& view, std::string_view own_ip);

}  // namespace slotd
