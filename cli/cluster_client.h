#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/resp_client.h"
#include "common/text/nodes_text.h"

namespace slotd {

struct Endpoint {
  std::string host;
  uint16_t port = 0;

  std::string text() const;
  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

// host:port, split at the last colon; [::1]:7000 and ::1:7000 are the same.
Result<Endpoint> parse_endpoint(std::string_view text);

// A cluster as one of its nodes describes it.
struct Topology {
  Endpoint asked;
  std::vector<NodeLine> nodes;  // in the order of the reply

  const NodeLine& myself() const;
  const NodeLine* by_id(const NodeId& id) const;
  const NodeLine* owner(Slot slot) const;
  std::vector<const NodeLine*> masters() const;  // that are no strangers and have not failed
  // By a prefix of the id, the announced host name, or host:port. The error lists what the name
  // could mean.
  Result<const NodeLine*> find(std::string_view name) const;
  SlotSet assigned() const;
  size_t member_count() const;  // without strangers, who may never become members
};

// Talks to a cluster (slotd, Redis or Valkey) through any node of it.
class ClusterClient {
 public:
  ClusterClient(Endpoint seed, ConnectOptions options)
      : seed_(std::move(seed)), options_(std::move(options)) {}

  const Endpoint& seed() const { return seed_; }
  const ConnectOptions& options() const { return options_; }

  // Kept open; a connection that broke is made anew.
  Result<RespClient*> connection(const Endpoint& endpoint);
  Result<RespClient*> connection(const NodeLine& node) { return connection(endpoint_of(node)); }
  Result<Reply> demand(const Endpoint& endpoint, const std::vector<std::string>& command);
  Result<Reply> demand(const NodeLine& node, const std::vector<std::string>& command) {
    return demand(endpoint_of(node), command);
  }
  void drop(const Endpoint& endpoint) { connections_.erase(endpoint); }

  Result<Topology> topology() { return topology(seed_); }
  Result<Topology> topology(const Endpoint& endpoint);
  // Where a node is reached: the seed's host stands in when the node told none.
  Endpoint endpoint_of(const NodeLine& node) const;

  // A command with one key, sent to the owner of its slot; MOVED, ASK, TRYAGAIN and a down cluster
  // are followed and waited out for up to the timeout. `redirects` counts.
  Result<Reply> keyed(const std::string& key, const std::vector<std::string>& command);
  uint64_t redirects = 0;
  // What a client knows that was told one address only: MOVED teaches it the rest.
  void assume_seed_owns_all() { owners_.assign(kSlotCount, seed_); }

 private:
  Result<void> learn_slots();
  bool follow(const std::string& error, Endpoint& target, bool& asking, Slot slot);

  Endpoint seed_;
  ConnectOptions options_;
  std::map<Endpoint, RespClient> connections_;
  std::vector<Endpoint> owners_;  // by slot; empty until learned
};

}  // namespace slotd
