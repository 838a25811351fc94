#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/result.h"
#include "common/cluster/cluster_view.h"
#include "common/cluster/link_status.h"

namespace slotd {

// One line of CLUSTER NODES, from slotd, Redis or Valkey.
struct NodeLine {
  NodeId id;
  NodeAddress address;  // ip empty when the server printed none
  bool myself = false;
  bool master = false;
  bool replica = false;
  bool suspect = false;  // "fail?"
  bool failed = false;   // "fail"
  bool handshake = false;
  bool noaddr = false;
  bool nofailover = false;
  NodeId master_id;  // zero when "-"
  int64_t ping_sent_ms = 0;
  int64_t pong_received_ms = 0;
  uint64_t config_epoch = 0;
  bool connected = false;
  SlotSet slots;
  std::vector<std::pair<Slot, NodeId>> migrating;  // to
  std::vector<std::pair<Slot, NodeId>> importing;  // from
};

// Accepts ip:port, ip:port@bus_port, an IPv6 literal with or without brackets (split at the last
// colon),
// ",hostname" and further ",key=value" fields, empty parts. An error names the line and the field.
Result<std::vector<NodeLine>> parse_nodes_text(std::string_view text);

// The text as Redis 7 prints it: '\n'-ended lines sorted by id, open slots on the "myself" line
// only, no comma after the address without a host name. `links` gives times and connected;
// `unix_offset` is what to add to an Instant to have the time since the Unix epoch. A member that
// this node needs no link to (bounded overlay) is "connected" unless suspect or failed.
std::string format_nodes_text(const ClusterView& view, std::span<const LinkStatus> links,
                              Duration unix_offset);

}  // namespace slotd
