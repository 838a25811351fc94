#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "common/cluster/node_record.h"

namespace slotd {

// What one node says to another over an open link, as plain values. wire/codec turns them into
// bytes and back and has checked all bounds, so handlers see only what can be meant.

// A removed node: refused in this generation and all before it, until an operator meets it again
// (R7).
struct Removal {
  NodeId id;
  Generation generation;

  friend bool operator==(const Removal&, const Removal&) = default;
};

// A member's record as it is passed on, with the verdict of the majority on this version of it.
struct MemberNews {
  NodeRecordPtr record;  // never null
  bool failed = false;
};

using Rumour = std::variant<MemberNews, Removal>;

// Both ends of a link introduce themselves; nothing else is accepted before.
struct Greeting {
  ClusterId cluster;
  NodeRecord self;
  bool alone = false;  // knows no other node
  uint64_t digest = 0;
  CurrentEpoch current_epoch;
  Generation admits;    // the receiver's generation, raised if an operator meets a removed node
  std::string your_ip;  // the receiver's address as the sender sees it; may be empty
};

struct HelloMessage {
  Greeting greeting;
  bool meet = false;  // an operator ordered it: the only way into a cluster
  NodeId expected;    // whom the sender believes to dial; zero in a meet
};

struct WelcomeMessage {
  Greeting greeting;
};

// On the wire: append only.
enum class RefuseReason : uint8_t {
  OtherCluster = 1,
  WrongNode = 2,  // the address belongs to another id than expected
  Removed = 3,
  Myself = 4,     // a node was told to meet itself
  Duplicate = 5,  // there is a better link between the two
};

struct RefuseMessage {
  RefuseReason reason;
  Generation generation;  // of the removal, with Removed
};

// "I am here, this is my version, this is the digest of all I know"; news rides along.
struct HeartbeatMessage {
  uint64_t sequence = 0;      // the sender's changes up to this one have been sent on this link
  uint64_t acknowledged = 0;  // the receiver's changes up to this one have arrived
  Version version;
  uint64_t digest = 0;
  CurrentEpoch current_epoch;
  std::vector<Rumour> rumours;
};

// Two steps that find what differs between two views: digests of all buckets, then the items of the
// buckets that differ; `wanted` names items that the sender lacks.
struct CompareMessage {
  struct Item {
    uint64_t id_hash;
    uint64_t state_hash;
  };
  std::vector<uint64_t> buckets;     // kDigestBuckets of them, or none
  std::vector<uint16_t> of_buckets;  // the items below are all that these buckets hold
  std::vector<Item> items;
  std::vector<uint64_t> wanted;  // id hashes
};

// Direct and indirect proof of life.
struct ProbeMessage {
  // On the wire: append only.
  enum class Kind : uint8_t { Ping = 1, Pong = 2, Request = 3, Alive = 4 };
  Kind kind;
  NodeId subject;  // of Request and Alive
};

// Who holds a node for dead. `voters` are indexes into the ascending ids of the slot-owning
// masters; `electorate` is the hash of that list, and a receiver with another list cannot read
// them.
struct Ballot {
  NodeId subject;
  Version version;  // of the subject's record; a newer one ends the ballot
  uint64_t electorate = 0;
  MySlots voters;
};

struct BallotMessage {
  std::vector<Ballot> ballots;
};

// On the wire: append only. In the order of Message.
enum class MessageKind : uint8_t {
  Hello = 1,
  Welcome = 2,
  Refuse = 3,
  Heartbeat = 4,
  Compare = 5,
  Probe = 6,
  Ballot = 7,
};
inline constexpr size_t kMessageKinds = 8;

using Message = std::variant<HelloMessage, WelcomeMessage, RefuseMessage, HeartbeatMessage,
                             CompareMessage, ProbeMessage, BallotMessage>;

inline MessageKind kind_of(const Message& message) {
  return static_cast<MessageKind>(message.index() + 1);
}

inline constexpr size_t kDigestBuckets = 64;

}  // namespace slotd
