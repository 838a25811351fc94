#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/base/rng.h"
#include "common/cluster/cluster_config.h"
#include "common/cluster/cluster_view.h"
#include "common/cluster/command.h"
#include "common/cluster/link_status.h"
#include "common/cluster/membership.h"
#include "common/cluster/output.h"
#include "common/cluster/peer_link.h"
#include "common/cluster/suspicions.h"

namespace slotd {

// The protocol of one node: a state machine without I/O. (time, event) goes in through the
// functions below; what must happen because of it comes out of take_output(). Time never runs
// backwards, and is the same clock for all calls. The same seed and the same events give the same
// outputs.
//
// The parts, one file each: handshake (who may talk to us), gossip (heartbeats, news, comparison of
// views), health (silence, suspicion, verdict, standing), commands (what operators order).
class ClusterState {
 public:
  ClusterState(ClusterConfig config, PersistentState state, uint64_t seed, Instant now);

  void on_accept(LinkId link, const std::string& remote_ip, Instant now);
  void on_link_up(LinkId link, Instant now);
  void on_link_down(LinkId link, Instant now);
  void step(LinkId link, const Message& message, Instant now);
  void tick(Instant now);
  // Errors carry the texts that Redis gives, without "ERR "; nothing changed then.
  Result<void> apply(const AdminCommand& command, Instant now);
  // Where this node is reached, when it changed or was found out.
  void set_address(const NodeAddress& address, Instant now);
  void set_config(const ClusterConfig& config, Instant now);

  Output take_output();
  // When tick() is due at the latest.
  Instant next_deadline() const { return next_deadline_; }
  PersistentState persistent_state() const;

  std::shared_ptr<const ClusterView> view();
  std::vector<LinkStatus> links() const;
  // The peer of a link that is up, else null.
  const NodeId* peer_of(LinkId link) const;

  const ClusterConfig& config() const { return config_; }
  const NodeId& id() const { return self_; }
  const NodeRecord& self() const { return *self_entry().record; }
  const Membership& membership() const { return membership_; }
  const Suspicions& suspicions() const { return suspicions_; }
  Standing standing() const { return standing_; }
  CurrentEpoch current_epoch() const { return current_epoch_; }
  const ClusterId& cluster() const { return cluster_; }
  size_t wanted_links() const;

 private:
  // cluster_state.cc
  const MemberEntry& self_entry() const { return *membership_.member(self_); }
  bool alone_except(const NodeId& peer) const;
  void load(const PersistentState& state);
  void need_save(SaveNeed need) { output_.save = std::max(output_.save, need); }
  void report(EventKind kind, std::string text, SlotSet slots = {});
  void raise_epoch(uint64_t epoch);
  // Runs `revise` on a copy of our record and makes it our next version.
  template <typename Revise>
  void revise_self(Revise revise);
  void set_own_slots(NodeRecord& record, const SlotSet& slots) const;
  void learn(const Rumour& rumour, PeerLink* from, Instant now);
  void learn_about_self(const Rumour& rumour, PeerLink* from, Instant now);
  void after_change(const Membership::Change& change, Instant now);
  void after_entry_change(const NodeId& id, Instant now);
  void world_changed() { view_stale_ = coverage_stale_ = true; }
  void drop_lost_slots();
  void close_stale_open_slots();
  void become_removed(Generation generation);
  void finish(Instant now);
  void refresh_overlay(Instant now);
  void refresh_electorate();

  // cluster_handshake.cc
  PeerLink* find_link(LinkId id);
  Contact& contact(const NodeId& id) { return contacts_[id]; }
  void dial_meets(Instant now);
  void dial_contacts(Instant now);
  void dial_contact(const NodeId& id, Contact& contact, Instant now);
  LinkId start_dial(const std::string& ip, uint16_t bus_port, const NodeId& expected, Instant now);
  Greeting greeting_for(const PeerLink& link) const;
  void on_hello(PeerLink& link, const HelloMessage& hello, Instant now);
  void on_welcome(PeerLink& link, const WelcomeMessage& welcome, Instant now);
  void on_refuse(PeerLink& link, const RefuseMessage& refuse, Instant now);
  bool settle_cluster(const Greeting& greeting, bool meet);
  bool may_join(const Greeting& greeting, bool meet, RefuseMessage& refuse) const;
  void take_greeting(PeerLink& link, const Greeting& greeting, Instant now);
  bool keeps_new_link(const PeerLink& fresh, const PeerLink& old) const;
  void link_is_up(PeerLink& link, const Greeting& greeting, Instant now);
  void refuse(PeerLink& link, const RefuseMessage& message, Instant now);
  void close_link(LinkId id, Instant now);
  void forget_link(LinkId id, bool failed, Instant now);
  void drop_unwanted_links(Instant now);
  void drop_idle_contacts();

  // cluster_gossip.cc
  void send(PeerLink& link, Message message, Instant now);
  void flush_news(PeerLink& link, Instant now);
  bool has_news(const PeerLink& link) const;
  void collect_news(PeerLink& link, HeartbeatMessage& heartbeat);
  void on_heartbeat(PeerLink& link, const HeartbeatMessage& heartbeat, Instant now);
  void note_digest(PeerLink& link, uint64_t digest, Instant now);
  void start_compare(PeerLink& link, Instant now);
  void on_compare(PeerLink& link, const CompareMessage& compare, Instant now);
  void answer_buckets(PeerLink& link, const CompareMessage& compare, Instant now);
  void answer_items(PeerLink& link, const CompareMessage& compare, Instant now);
  void gossip_due(Instant now);

  // cluster_health.cc
  void watch_contacts(Instant now);
  void ask_others(const NodeId& subject, Contact& contact, Instant now);
  void on_probe(PeerLink& link, const ProbeMessage& probe, Instant now);
  void heard_alive(const NodeId& id, Instant now);
  void suspect(const NodeId& id, Instant now);
  void on_ballots(PeerLink& link, const BallotMessage& message, Instant now);
  void vote_on_suspicions(Instant now);
  void vote_or_probe(const NodeId& subject, Contact& contact, Instant suspected, Instant now);
  void settle_verdicts(Instant now);
  void flush_ballots(PeerLink& link, Instant now);
  void notice_pause(Instant now);
  void start_joining();
  void settle_standing(Instant now);
  Standing compute_standing(Instant now) const;
  bool heard_from_enough() const;
  void refresh_coverage();

  // cluster_commands.cc
  Result<void> run(const MeetCommand& command, Instant now);
  Result<void> run(const ForgetCommand& command, Instant now);
  Result<void> run(const AddSlotsCommand& command, Instant now);
  Result<void> run(const DelSlotsCommand& command, Instant now);
  Result<void> run(const FlushSlotsCommand& command, Instant now);
  Result<void> run(const SetSlotMigratingCommand& command, Instant now);
  Result<void> run(const SetSlotImportingCommand& command, Instant now);
  Result<void> run(const SetSlotStableCommand& command, Instant now);
  Result<void> run(const SetSlotNodeCommand& command, Instant now);
  Result<void> run(const SetConfigEpochCommand& command, Instant now);
  Result<void> run(const BumpEpochCommand& command, Instant now);
  Result<void> run(const ResetCommand& command, Instant now);
  Result<void> run(const SaveConfigCommand& command, Instant now);
  void take_slot(Slot slot, Instant now);
  bool owns(Slot slot) const;

  struct Meet {
    std::string ip;
    uint16_t bus_port;
    Instant give_up;
    Instant next_dial;
    LinkId link = 0;
    unsigned attempts = 0;
  };

  ClusterConfig config_;
  Rng rng_;
  NodeId self_;
  ClusterId cluster_;
  CurrentEpoch current_epoch_;
  Membership membership_;
  SlotSet own_slots_;  // what our record claims, decoded
  std::map<Slot, NodeId> migrating_;
  std::map<Slot, NodeId> importing_;
  // Slots of ours that an operator has told us to be another's, whose claim has not arrived yet. We
  // send clients there, but claim on: if it never takes the slot, a restart has it served again.
  std::map<Slot, NodeId> yielded_;

  std::map<LinkId, PeerLink> links_;
  std::map<NodeId, Contact> contacts_;
  std::vector<Meet> meets_;
  // Newcomers that were told our cluster id and have not spoken yet, with when they are given up.
  // To them we stay what we said, so that a node which others are told to meet does not itself
  // yield.
  std::map<NodeId, Instant> hosted_;
  LinkId next_link_ = 1;

  Suspicions suspicions_;
  bool removed_ = false;
  bool joining_ = false;
  Standing standing_ = Standing::Ok;

  bool overlay_stale_ = true;
  bool electorate_stale_ = true;
  bool view_stale_ = true;
  bool coverage_stale_ = true;
  bool covered_ = false;  // every slot has an owner that has not failed
  std::shared_ptr<const ClusterView> view_;
  uint64_t revision_ = 0;

  Instant last_step_{};
  Instant next_check_{};
  Instant last_compare_{};
  Instant next_deadline_{};
  Output output_;
};

template <typename Revise>
void ClusterState::revise_self(Revise revise) {
  auto record = std::make_shared<NodeRecord>(self());
  revise(*record);
  record->version = record->version.next();
  membership_.merge(MemberNews{record, false}, 0);
  electorate_stale_ = true;
  world_changed();
  need_save(SaveNeed::Now);
}

}  // namespace slotd
