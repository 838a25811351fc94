// Who may talk to this node: dials, greetings, cluster ids, removals, and one link a peer.
#include "common/cluster/cluster_state.h"

namespace slotd {
namespace {

std::string_view reason_text(RefuseReason reason) {
  switch (reason) {
    case RefuseReason::OtherCluster:
      return "it belongs to another cluster";
    case RefuseReason::WrongNode:
      return "another node answers at that address";
    case RefuseReason::Removed:
      return "this node was removed from that cluster";
    case RefuseReason::Myself:
      return "that is this node itself";
    case RefuseReason::Duplicate:
      return "there is a link already";
  }
  return "unknown reason";
}

}  // namespace

PeerLink* ClusterState::find_link(LinkId id) {
  auto at = links_.find(id);
  return at == links_.end() ? nullptr : &at->second;
}

LinkId ClusterState::start_dial(const std::string& ip, uint16_t bus_port, const NodeId& expected,
                                Instant now) {
  PeerLink& link = links_[next_link_];
  link.id = next_link_++;
  link.outbound = true;
  link.peer = expected;
  link.remote_ip = ip;
  link.opened = link.last_heard = now;
  output_.dials.push_back({link.id, ip, bus_port});
  return link.id;
}

void ClusterState::dial_meets(Instant now) {
  std::erase_if(hosted_, [now](const auto& item) { return now >= item.second; });
  std::erase_if(meets_, [&](const Meet& meet) {
    if (now < meet.give_up) return false;
    report(EventKind::MeetFailed,
           fmt::format("no node answered the meeting at {}:{} within {} s", meet.ip, meet.bus_port,
                       std::chrono::duration_cast<seconds>(kMeetTimeout).count()));
    return true;
  });
  for (Meet& meet : meets_) {
    if (meet.link != 0 || now < meet.next_dial) continue;
    meet.link = start_dial(meet.ip, meet.bus_port, NodeId{}, now);
    links_[meet.link].meet = true;
  }
}

void ClusterState::dial_contacts(Instant now) {
  for (auto& [id, contact] : contacts_) {
    bool needed = contact.wanted || contact.probe_until != Instant{};
    if (!needed || contact.link != 0 || contact.dialling != 0 || now < contact.next_dial) continue;
    dial_contact(id, contact, now);
  }
}

void ClusterState::dial_contact(const NodeId& id, Contact& contact, Instant now) {
  const MemberEntry* entry = membership_.member(id);
  if (entry == nullptr) return;
  const NodeAddress& address = entry->record->address;
  if (address.ip.empty() || address.bus_port == 0) return;
  contact.dialling = start_dial(address.ip, address.bus_port, id, now);
}

Greeting ClusterState::greeting_for(const PeerLink& link) const {
  Greeting greeting;
  greeting.cluster = cluster_;
  greeting.self = self();
  greeting.alone = alone_except(link.peer.is_zero() ? self_ : link.peer);
  greeting.digest = membership_.digest();
  greeting.current_epoch = current_epoch_;
  greeting.your_ip = link.remote_ip;
  const MemberEntry* known = membership_.find(link.peer);
  if (known != nullptr && known->removed()) greeting.admits = known->generation.next();
  return greeting;
}

void ClusterState::on_link_up(LinkId id, Instant now) {
  notice_pause(now);
  PeerLink* link = find_link(id);
  if (link != nullptr && link->phase == PeerLink::Phase::Dialling) {
    link->phase = PeerLink::Phase::Greeting;
    send(*link, HelloMessage{greeting_for(*link), link->meet, link->peer}, now);
  }
  finish(now);
}

// Whether the node may be (or become) a member of our cluster. A removed node is let in only by a
// meet (R7); two clusters stay apart whatever addresses they reuse.
bool ClusterState::may_join(const Greeting& greeting, bool meet, RefuseMessage& refuse) const {
  if (greeting.self.id == self_) {
    refuse = {RefuseReason::Myself, {}};
    return false;
  }
  if (removed_ && !meet) {
    refuse = {RefuseReason::WrongNode, {}};
    return false;
  }
  const MemberEntry* known = membership_.find(greeting.self.id);
  bool removed =
      known != nullptr && known->removed() && greeting.self.generation <= known->generation;
  if (removed && !meet) {
    refuse = {RefuseReason::Removed, known->generation};
    return false;
  }
  bool settles =
      greeting.cluster == cluster_ || (meet && (greeting.alone || alone_except(greeting.self.id)));
  if (!settles) refuse = {RefuseReason::OtherCluster, {}};
  return settles;
}

// Agrees on one cluster id with a node that may join: who knows nobody takes the other's; if
// neither knows anybody both take the lower.
bool ClusterState::settle_cluster(const Greeting& greeting, bool meet) {
  if (removed_ && meet) {
    // Met again: a new life among the others, with nothing believed from the old one.
    removed_ = false;
    std::vector<NodeId> others = membership_.member_ids();
    NodeRecord mine = self();
    mine.after.clear();
    membership_ = Membership{};
    membership_.merge(MemberNews{std::make_shared<NodeRecord>(mine), false}, 0);
    overlay_stale_ = electorate_stale_ = true;
    world_changed();
  }
  if (greeting.cluster == cluster_) return false;
  bool mine_yields =
      alone_except(greeting.self.id) && (!greeting.alone || greeting.cluster < cluster_);
  if (!mine_yields) return false;
  cluster_ = greeting.cluster;
  view_stale_ = true;
  need_save(SaveNeed::Now);
  return true;
}

void ClusterState::take_greeting(PeerLink& link, const Greeting& greeting, Instant now) {
  raise_epoch(greeting.current_epoch.value);
  if (greeting.admits > self().generation) {
    revise_self([&](NodeRecord& record) { record.generation = greeting.admits; });
  }
  if (self().address.ip.empty() && !greeting.your_ip.empty()) {
    revise_self([&](NodeRecord& record) { record.address.ip = greeting.your_ip; });
  }
  // A newcomer becomes a member when it speaks as one, having taken our cluster id and written it
  // down; if it never does (it crashed, the way back was cut) it stays the stranger that it thinks
  // it is.
  if (greeting.cluster != cluster_) {
    hosted_[greeting.self.id] = now + kMeetTimeout;
    return;
  }
  NodeRecord record = greeting.self;
  const MemberEntry* known = membership_.find(record.id);
  if (known != nullptr && known->removed()) {
    record.generation = std::max(record.generation, known->generation.next());
  }
  if (record.address.ip.empty()) record.address.ip = link.remote_ip;
  learn(MemberNews{std::make_shared<NodeRecord>(record), false}, &link, now);
}

// Of two links between the same two nodes the one that the lower id dialled stays; both ends decide
// alike. A newer link of the same direction, or one beside a link gone silent, is a reconnect.
bool ClusterState::keeps_new_link(const PeerLink& fresh, const PeerLink& old) const {
  if (fresh.outbound == old.outbound) return true;
  const NodeId& dialler = fresh.outbound ? self_ : fresh.peer;
  return dialler == std::min(self_, fresh.peer);
}

void ClusterState::refuse(PeerLink& link, const RefuseMessage& message, Instant now) {
  if (message.reason != RefuseReason::Duplicate) {
    report(EventKind::LinkRefused, fmt::format("refused a link from {} at {}: {}", link.peer.hex(),
                                               link.remote_ip, reason_text(message.reason)));
  }
  LinkId id = link.id;
  send(link, message, now);
  close_link(id, now);
}

void ClusterState::on_hello(PeerLink& link, const HelloMessage& hello, Instant now) {
  link.peer = hello.greeting.self.id;
  RefuseMessage reason{RefuseReason::WrongNode, {}};
  if (!hello.expected.is_zero() && hello.expected != self_) return refuse(link, reason, now);
  if (!may_join(hello.greeting, hello.meet, reason)) return refuse(link, reason, now);
  auto at = contacts_.find(link.peer);
  if (at != contacts_.end() && at->second.link != 0) {
    const PeerLink& old = links_.at(at->second.link);
    bool silent = now - old.last_heard > 2 * config_.heartbeat_interval();
    if (!silent && !hello.meet && !keeps_new_link(link, old)) {
      return refuse(link, {RefuseReason::Duplicate, {}}, now);
    }
  }
  settle_cluster(hello.greeting, hello.meet);
  // Greet before learning: the answer must say what we were when the other asked.
  Greeting answer = greeting_for(link);
  take_greeting(link, hello.greeting, now);
  answer.self = self();
  answer.digest = membership_.digest();
  send(link, WelcomeMessage{answer}, now);
  link_is_up(link, hello.greeting, now);
}

void ClusterState::on_welcome(PeerLink& link, const WelcomeMessage& welcome, Instant now) {
  const Greeting& greeting = welcome.greeting;
  RefuseMessage reason{RefuseReason::WrongNode, {}};
  if (!link.peer.is_zero() && link.peer != greeting.self.id) {
    report(EventKind::LinkRefused, fmt::format("{} answers where {} was expected",
                                               greeting.self.id.hex(), link.peer.hex()));
    return close_link(link.id, now);
  }
  bool expected = !link.peer.is_zero();
  link.peer = greeting.self.id;
  if (!may_join(greeting, link.meet, reason)) return refuse(link, reason, now);
  settle_cluster(greeting, link.meet);
  // It was alone when it answered and we no longer are: the next Hello tells it our cluster id.
  if (greeting.cluster != cluster_) return close_link(link.id, now);
  auto at = contacts_.find(link.peer);
  if (expected && at != contacts_.end() && at->second.link != 0 && at->second.link != link.id &&
      !keeps_new_link(link, links_.at(at->second.link))) {
    return close_link(link.id, now);
  }
  std::erase_if(meets_, [&](const Meet& meet) { return meet.link == link.id; });
  take_greeting(link, greeting, now);
  link_is_up(link, greeting, now);
}

void ClusterState::link_is_up(PeerLink& link, const Greeting& greeting, Instant now) {
  link.phase = PeerLink::Phase::Up;
  link.since = now;
  Contact& peer = contact(link.peer);
  if (peer.dialling == link.id) peer.dialling = 0;
  LinkId old = std::exchange(peer.link, link.id);
  peer.attempts = 0;
  if (old != 0 && old != link.id) close_link(old, now);
  link.sent_change = link.acknowledged_change = membership_.last_change();
  link.next_heartbeat = now + Duration(rng_.between(0, config_.heartbeat_interval().count()));
  link.owed.insert(self_);
  // Not a member yet while its record waits for one that it depends on.
  const MemberEntry* entry = membership_.member(link.peer);
  if (entry != nullptr && entry->failed) link.owed.insert(link.peer);
  heard_alive(link.peer, now);
  note_digest(link, greeting.digest, now);
  if (link.differs && link.outbound) start_compare(link, now);
}

void ClusterState::on_refuse(PeerLink& link, const RefuseMessage& message, Instant now) {
  bool was_meet = link.meet;
  NodeId peer = link.peer;
  if (message.reason == RefuseReason::Removed && !was_meet && membership_.member(peer) != nullptr &&
      message.generation >= self().generation) {
    return become_removed(message.generation);
  }
  if (message.reason != RefuseReason::Duplicate) {
    report(was_meet ? EventKind::MeetFailed : EventKind::LinkRefused,
           fmt::format("{} {} refused: {}", was_meet ? "the meeting with" : "a link to",
                       link.remote_ip, reason_text(message.reason)));
  }
  std::erase_if(meets_, [&](const Meet& meet) { return meet.link == link.id; });
  output_.closes.push_back(link.id);
  forget_link(link.id, message.reason != RefuseReason::Duplicate, now);
}

void ClusterState::close_link(LinkId id, Instant now) {
  if (!links_.contains(id)) return;
  output_.closes.push_back(id);
  forget_link(id, false, now);
}

void ClusterState::on_link_down(LinkId id, Instant now) {
  notice_pause(now);
  PeerLink* link = find_link(id);
  if (link != nullptr) forget_link(id, !link->up(), now);
  finish(now);
}

void ClusterState::forget_link(LinkId id, bool failed, Instant now) {
  NodeId peer = links_.at(id).peer;
  links_.erase(id);
  for (Meet& meet : meets_) {
    if (meet.link != id) continue;
    meet.link = 0;
    meet.next_dial = now + milliseconds(100) * (1 << std::min(meet.attempts++, 4u));
  }
  auto at = contacts_.find(peer);
  if (at == contacts_.end()) return;
  Contact& contact = at->second;
  bool was_ours = contact.link == id || contact.dialling == id;
  if (contact.link == id) contact.link = 0;
  if (contact.dialling == id) contact.dialling = 0;
  if (!was_ours) return;
  if (failed) ++contact.attempts;
  Duration backoff = std::min<Duration>(milliseconds(50) * (1 << std::min(contact.attempts, 10u)),
                                        config_.max_dial_backoff());
  contact.next_dial = now + Duration(rng_.between(backoff.count() / 2, backoff.count()));
}

// Who dialled a link closes it when the overlay no longer asks for it and no probe needs it.
void ClusterState::drop_unwanted_links(Instant now) {
  std::vector<LinkId> unwanted;
  for (auto& [id, link] : links_) {
    bool stuck = !link.up() && now - link.opened > config_.node_timeout / 4;
    auto at = contacts_.find(link.peer);
    bool kept = at != contacts_.end() && (at->second.wanted || at->second.probe_until != Instant{});
    bool settled = now - link.opened > config_.heartbeat_interval();
    if (stuck || (link.up() && link.outbound && !kept && settled)) unwanted.push_back(id);
  }
  for (LinkId id : unwanted) {
    bool failed = !links_.at(id).up();
    output_.closes.push_back(id);
    forget_link(id, failed, now);
  }
  drop_idle_contacts();
}

void ClusterState::drop_idle_contacts() {
  std::erase_if(contacts_, [](const auto& item) {
    const Contact& contact = item.second;
    return !contact.wanted && contact.link == 0 && contact.dialling == 0 &&
           contact.probe_until == Instant{};
  });
}

}  // namespace slotd
