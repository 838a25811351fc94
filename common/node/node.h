#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "common/cluster/cluster_state.h"
#include "common/cluster/command.h"
#include "common/node/ports.h"
#include "common/node/traffic.h"
#include "common/wire/frame.h"

namespace slotd {

// One member of a cluster: the protocol core (ClusterState) with the codec and the ports around it.
// Whatever the core asks for is done in one order: persist, send, publish, answer. So nothing is
// said to a peer or a client that a crash could take back (rules R4 and R6).
class Node {
 public:
  // Something worth a line in the log, already worded.
  using Log = std::function<void(const ClusterEvent&)>;

  // The ports must outlive the node. `state` is what was persisted, or a fresh identity.
  Node(ClusterConfig config, PersistentState state, uint64_t seed, Instant now,
       Transport& transport, StateStore& store, Log log);

  // From the transport. Bytes need not come in whole frames; a frame that does not decode closes
  // the link and is counted.
  void on_accept(LinkId link, const std::string& remote_ip, Instant now);
  void on_link_up(LinkId link, Instant now);
  void on_bytes(LinkId link, ByteView bytes, Instant now);
  void on_link_down(LinkId link, Instant now);
  // Due at next_deadline() at the latest.
  void tick(Instant now);
  Instant next_deadline() const { return state_.next_deadline(); }

  // An operator's command. The answer comes after the change is on disk; when the disk refuses, the
  // error says so, the change stays in memory unannounced and is saved as soon as the disk allows.
  // Error messages are the texts that Redis gives, without the leading "ERR ".
  Result<void> apply(const AdminCommand& command, Instant now);

  // Commands that come together share one save: between the two nothing is saved, sent or logged,
  // and end_batch does all of it. Its result holds for every command of the batch that apply()
  // accepted.
  void begin_batch() { batching_ = true; }
  Result<void> end_batch(Instant now);

  // The current picture. Cheap while nothing changes: the same pointer until then.
  std::shared_ptr<const ClusterView> view() { return state_.view(); }
  std::vector<LinkStatus> links() const { return state_.links(); }

  const Traffic& traffic() const { return traffic_; }
  // By peer, ascending; members that were forgotten are dropped.
  const std::map<NodeId, Traffic>& traffic_by_peer() const { return traffic_by_peer_; }
  uint64_t bad_frames() const { return bad_frames_; }
  // Empty when all is on disk, else why the last save failed.
  const std::string& save_error() const { return save_error_; }

  void set_address(const NodeAddress& address, Instant now);
  void set_config(const ClusterConfig& config, Instant now);
  // Saves at once what is not on disk yet; for a clean end.
  Result<void> save(Instant now);

  const ClusterState& state() const { return state_; }

 private:
  Result<void> run(Instant now);
  Result<void> save_if_needed(SaveNeed need, Instant now);
  void send(const OutboundMessage& message);
  void count(const NodeId* peer, const Message& message, size_t frame_bytes, bool sent);

  ClusterState state_;
  Transport& transport_;
  StateStore& store_;
  Log log_;
  std::map<LinkId, FrameReader> readers_;
  Traffic traffic_;
  std::map<NodeId, Traffic> traffic_by_peer_;
  uint64_t bad_frames_ = 0;
  std::string save_error_;
  bool batching_ = false;
  Output held_;  // of the batch
  SaveNeed unsaved_ = SaveNeed::None;
  Instant next_save_{};  // of what may wait, and of what failed
};

}  // namespace slotd
