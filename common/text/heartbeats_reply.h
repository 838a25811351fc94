#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/resp/writer.h"
#include "common/text/bus_counts.h"

namespace slotd {

// One element of CLUSTER HEARTBEATS: what went over the bus with one peer, or with all of them.
struct HeartbeatRow {
  std::string peer;  // 40 hex digits, or "all"
  BusCount heartbeats;
  uint64_t last_heartbeat_sent = 0;  // framed bytes
  uint64_t last_heartbeat_received = 0;
  uint64_t myslots_sent = 0;
  uint64_t myslots_bytes_sent = 0;
  std::string_view last_encoding = "none";
  uint64_t last_myslots_bytes = 0;
  std::vector<BusCount> kinds;  // heartbeats included
};

// An array of maps, in the order given; "all" goes first. slotctl reads it, so fields are only ever
// added, at the end.
void write_heartbeats_reply(RespWriter& out, std::span<const HeartbeatRow> rows);

}  // namespace slotd
