#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/cluster_client.h"

namespace slotd {

// One node's picture of the cluster, in a form that can be compared: who is in it, and who owns
// what.
struct NodePicture {
  Endpoint endpoint;
  std::string id;
  std::vector<std::string> members;  // ids, sorted
  std::vector<std::pair<std::string, SlotSet>> slots;
  std::string state;   // cluster_state
  std::string digest;  // cluster_view_digest, slotd only
};

Result<NodePicture> picture_of(ClusterClient& client, const Endpoint& endpoint);

// In what `other` differs from `model`, in one line; "" when they agree.
std::string difference(const NodePicture& model, const NodePicture& other);

// Waits until all these nodes answer, agree on members and slots, and (if `serving`) are ok. The
// error names all that do not, and in what.
Result<void> wait_for_agreement(ClusterClient& client, const std::vector<Endpoint>& nodes,
                                size_t members, bool serving, std::chrono::milliseconds timeout);

}  // namespace slotd
