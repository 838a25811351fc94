#pragma once

#include "common/base/time.h"
#include "common/cluster/ids.h"

namespace slotd {

// The link to one peer as CLUSTER LINKS and CLUSTER NODES show it.
struct LinkStatus {
  NodeId peer;
  bool connected = false;
  bool outbound = false;  // this node dialled
  Instant since{};        // when the link came up
  Instant last_sent{};
  Instant last_heard{};
};

}  // namespace slotd
