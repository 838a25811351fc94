#pragma once

#include <span>

#include "common/cluster/link_status.h"
#include "common/resp/writer.h"

namespace slotd {

// CLUSTER LINKS as Redis 7 gives it, of the links that are up. `unix_offset` is what to add to an
// Instant to have the time since the Unix epoch.
void write_links_reply(RespWriter& out, std::span<const LinkStatus> links, Duration unix_offset);

}  // namespace slotd
