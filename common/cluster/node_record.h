#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/cluster/ids.h"
#include "common/slot/myslots.h"

namespace slotd {

// Where a node is reached. `ip` is a literal address; empty means not known (yet).
struct NodeAddress {
  std::string ip;
  uint16_t port = 0;      // clients
  uint16_t bus_port = 0;  // peers
  std::string hostname;   // announced, may be empty

  friend bool operator==(const NodeAddress&, const NodeAddress&) = default;
};

// On the wire: append only.
enum class NodeRole : uint8_t { Master = 1, Replica = 2 };

// "Do not apply this record before that one": the author dropped slots because `author` claimed
// them in `version`. It keeps a moved slot from being seen unassigned when the two records cross
// (rule R3).
struct Dependency {
  NodeId author;
  Version version;

  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// What a node says about itself, and nobody else may (rule R1). Of two records of one id the one
// with the higher (generation, version) is the truth; see content_hash for the case that both are
// equal.
struct NodeRecord {
  NodeId id;
  Generation generation;
  Version version;
  ConfigEpoch config_epoch;
  NodeRole role = NodeRole::Master;
  NodeId master;  // whom a replica follows; zero for a master
  NodeAddress address;
  MySlots slots;
  std::vector<Dependency> after;  // at most kMaxDependencies

  friend bool operator==(const NodeRecord&, const NodeRecord&) = default;
};

// Of what the record says. A node whose old state file was put back may say something new under a
// version that it has used before: the hash then tells the two apart in digests, decides between
// them alike everywhere, and the author, hearing of it, speaks again under a higher version.
uint64_t content_hash(const NodeRecord& record);

using NodeRecordPtr = std::shared_ptr<const NodeRecord>;

}  // namespace slotd
