#pragma once

#include <string_view>

#include "common/cluster/cluster_view.h"
#include "common/resp/writer.h"

namespace slotd {

// CLUSTER SLOTS as Redis 7 gives it: one element a run of slots, ascending, with its master and
// those replicas that have not failed. Nodes without an address are left out, unassigned slots too.
// `own_ip` stands for this node's address when it was told none.
void write_slots_reply(RespWriter& out, const ClusterView& view, std::string_view own_ip);

// The members' addresses as replies show them.
std::string_view shown_ip(const ClusterView& view, const Member& member, std::string_view own_ip);

}  // namespace slotd
