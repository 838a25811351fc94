#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/cluster/link.h"
#include "common/cluster/message.h"

namespace slotd {

// All that a node must not forget over a restart (rule R6).
struct PersistentState {
  ClusterId cluster;
  NodeRecord self;
  CurrentEpoch current_epoch;
  bool removed = false;             // an operator removed this node from its cluster
  std::vector<NodeRecord> members;  // the others
  std::vector<Removal> removals;
  std::map<Slot, NodeId> migrating;
  std::map<Slot, NodeId> importing;
};

// A new node in a cluster of its own.
PersistentState fresh_identity(uint64_t seed, const NodeAddress& address);

enum class EventKind : uint8_t {
  MemberJoined,
  MemberRemoved,
  MemberFailed,
  MemberBack,
  SlotsLost,  // to a claim that wins; `slots` are no longer this node's
  StandingChanged,
  MeetFailed,
  LinkRefused,
};

// Something that an operator would want to read in the log, worded.
struct ClusterEvent {
  EventKind kind;
  std::string text;
  SlotSet slots;  // with SlotsLost
};

struct Dial {
  LinkId link;
  std::string ip;
  uint16_t bus_port;
};

struct OutboundMessage {
  LinkId link;
  Message message;
};

enum class SaveNeed : uint8_t {
  None,
  Soon,  // learned from others: they would tell us again
  Now,   // our own word: on disk before any message of this output leaves
};

// What must happen because of what went in. Executed by Node, in the order of the members.
struct Output {
  SaveNeed save = SaveNeed::None;
  std::vector<Dial> dials;
  std::vector<OutboundMessage> messages;
  std::vector<LinkId> closes;
  std::vector<ClusterEvent> events;
};

}  // namespace slotd
