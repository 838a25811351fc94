#pragma once

#include <set>
#include <string>

#include "common/base/time.h"
#include "common/cluster/ids.h"
#include "common/cluster/link.h"

namespace slotd {

// One connection, and what has been said over it.
struct PeerLink {
  enum class Phase : uint8_t {
    Dialling,  // not yet connected
    Greeting,  // connected; Hello sent or awaited
    Up,        // both sides know each other
  };

  LinkId id = 0;
  bool outbound = false;
  Phase phase = Phase::Dialling;
  NodeId peer;        // of an outbound link: expected; zero while unknown
  bool meet = false;  // dialled because an operator said so
  std::string remote_ip;

  Instant opened{};
  Instant since{};
  Instant last_sent{};
  Instant last_heard{};
  Instant next_heartbeat{};

  // Membership changes are numbered; the peer has been sent those up to `sent_change` and has
  // acknowledged those up to `acknowledged_change`. What changed before the link came up is left to
  // the comparison of digests.
  uint64_t sent_change = 0;
  uint64_t acknowledged_change = 0;
  uint64_t received_change = 0;  // the peer's counter
  Instant last_news{};
  std::set<NodeId> owed;  // entries that the peer lacks or has in an older version

  uint64_t sent_ballots = 0;  // counter of Suspicions
  Instant last_ballots{};

  bool agrees = false;   // its digest was ours at some moment since this node began to join
  bool differs = false;  // its last digest was not ours
  Instant differs_since{};
  Instant last_compare{};

  bool up() const { return phase == Phase::Up; }
};

// What this node knows of reaching one member, over all links to it. Kept only for those it wants
// to reach, so that it costs nothing for the rest of a large cluster.
struct Contact {
  bool wanted = false;  // by the overlay
  Instant wanted_since{};
  Instant last_heard{};  // by us or by who was asked; wanted: at least since it is
  LinkId link = 0;       // the link that is up, or 0
  LinkId dialling = 0;   // the attempt under way, or 0
  Instant next_dial{};
  unsigned attempts = 0;    // failed in a row
  Instant asked_others{};   // when indirect probes went out
  Instant probe_until{};    // a probe for a vote or for others runs until then; zero: none
  std::set<LinkId> askers;  // peers that want to hear if it is alive
};

}  // namespace slotd
