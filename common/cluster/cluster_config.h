#pragma once

#include <algorithm>
#include <optional>

#include "common/base/time.h"
#include "common/slot/myslots.h"

namespace slotd {

// What an operator sets. All spans of the protocol follow from the node timeout, here and nowhere
// else.
struct ClusterConfig {
  Duration node_timeout = seconds(15);
  std::optional<MySlotsEncoding> forced_encoding;  // of this node's own record
  bool myslots_in_every_heartbeat = false;
  bool full_coverage_required = true;

  // At least four heartbeats fit into a node timeout.
  Duration heartbeat_interval() const { return std::min<Duration>(seconds(1), node_timeout / 4); }
  // Silence after which peers are asked to look …
  Duration ask_others_after() const { return node_timeout / 2; }
  // … and after which, nobody having seen it alive, a peer is suspected. Early enough that the
  // majority can agree, and a minority can stop serving, within the node timeout.
  Duration suspect_after() const { return node_timeout * 7 / 10; }
  // How long a suspicion may stay without a verdict before this node must think that it is the one
  // who is cut off.
  Duration verdict_within() const { return node_timeout * 3 / 10; }
  Duration probe_timeout() const { return std::min<Duration>(milliseconds(500), node_timeout / 8); }
  Duration max_dial_backoff() const { return std::min<Duration>(seconds(5), node_timeout / 4); }
  Duration compare_interval() const { return heartbeat_interval() / 4; }
  // A step that comes so late that peers may have decided without this node.
  Duration pause_limit() const { return node_timeout / 2; }
};

// Between two messages with news on one link, so that a burst of changes shares messages.
inline constexpr Duration kNewsPace = milliseconds(2);
inline constexpr Duration kBallotPace = milliseconds(20);
inline constexpr Duration kCheckInterval = milliseconds(100);
inline constexpr Duration kMeetTimeout = seconds(30);
inline constexpr size_t kIndirectProbes = 3;
inline constexpr size_t kMaxPendingMeets = 1024;

}  // namespace slotd
