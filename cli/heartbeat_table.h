#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/cluster_client.h"
#include "cli/printer.h"

namespace slotd {

// CLUSTER HEARTBEATS of one node: a row for all peers together, then one a peer.
struct HeartbeatRow {
  std::string node;  // who was asked, host:port
  std::string peer;  // id, or "all"
  std::map<std::string, int64_t> numbers;
  std::string encoding;
};

// The error of a server that has no such command says so.
Result<std::vector<HeartbeatRow>> read_heartbeats(ClusterClient& client, const Endpoint& node);
std::string heartbeat_table(const std::vector<HeartbeatRow>& rows);
Json heartbeat_json(const std::vector<HeartbeatRow>& rows);

}  // namespace slotd
