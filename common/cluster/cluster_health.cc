// Who is alive: silence, indirect probes, suspicion, the verdict of the majority, and whether this
// node itself may serve.
#include "common/cluster/cluster_state.h"

namespace slotd {

void ClusterState::heard_alive(const NodeId& id, Instant now) {
  auto at = contacts_.find(id);
  if (at == contacts_.end()) return;
  Contact& contact = at->second;
  contact.last_heard = now;
  contact.asked_others = {};
  contact.probe_until = {};
  for (LinkId asker : std::exchange(contact.askers, {})) {
    PeerLink* link = find_link(asker);
    if (link != nullptr) send(*link, ProbeMessage{ProbeMessage::Kind::Alive, id}, now);
  }
}

// Silence of the peers that this node keeps links to: others are asked, then it is suspected.
void ClusterState::watch_contacts(Instant now) {
  std::vector<NodeId> silent;
  for (auto& [id, contact] : contacts_) {
    if (contact.probe_until != Instant{} && now >= contact.probe_until && !suspicions_.find(id)) {
      contact.probe_until = {};
      contact.askers.clear();
    }
    Duration silence = now - contact.last_heard;
    if (!contact.wanted || silence <= config_.ask_others_after()) continue;
    if (membership_.find(id)->failed) continue;
    if (contact.asked_others == Instant{}) {
      ask_others(id, contact, now);
      overlay_stale_ = true;  // look for a way round it
    }
    if (silence > config_.suspect_after()) silent.push_back(id);
  }
  for (const NodeId& id : silent) suspect(id, now);
}

void ClusterState::ask_others(const NodeId& subject, Contact& contact, Instant now) {
  contact.asked_others = now;
  std::vector<PeerLink*> askable;
  for (auto& [id, link] : links_) {
    if (link.up() && link.peer != subject) askable.push_back(&link);
  }
  for (size_t asked = 0; asked < kIndirectProbes && !askable.empty(); ++asked) {
    size_t pick = rng_.below(askable.size());
    send(*askable[pick], ProbeMessage{ProbeMessage::Kind::Request, subject}, now);
    askable.erase(askable.begin() + static_cast<ptrdiff_t>(pick));
  }
  PeerLink* direct = find_link(contact.link);
  if (direct != nullptr) send(*direct, ProbeMessage{ProbeMessage::Kind::Ping, subject}, now);
}

void ClusterState::on_probe(PeerLink& link, const ProbeMessage& probe, Instant now) {
  switch (probe.kind) {
    case ProbeMessage::Kind::Ping:
      send(link, ProbeMessage{ProbeMessage::Kind::Pong, self_}, now);
      return;
    case ProbeMessage::Kind::Pong:
      return;  // any message is proof of life
    case ProbeMessage::Kind::Alive:
      return heard_alive(probe.subject, now);
    case ProbeMessage::Kind::Request:
      break;
  }
  if (membership_.member(probe.subject) == nullptr || probe.subject == self_) return;
  Contact& subject = contact(probe.subject);
  subject.askers.insert(link.id);
  subject.probe_until = now + config_.probe_timeout();
  PeerLink* direct = find_link(subject.link);
  if (direct != nullptr) {
    send(*direct, ProbeMessage{ProbeMessage::Kind::Ping, probe.subject}, now);
  } else {
    subject.next_dial = now;
  }
}

void ClusterState::suspect(const NodeId& id, Instant now) {
  const MemberEntry& entry = *membership_.find(id);
  if (!suspicions_.open(id, entry.record->version, now)) return;
  view_stale_ = true;
  suspicions_.vote(id, self_);
}

void ClusterState::on_ballots(PeerLink&, const BallotMessage& message, Instant now) {
  for (const Ballot& ballot : message.ballots) {
    if (ballot.subject == self_) {
      if (ballot.version >= self().version) {
        Version claimed = ballot.version;
        revise_self(
            [&](NodeRecord& record) { record.version = std::max(record.version, claimed); });
      }
      // As good as a verdict, where the cluster is cut in halves: they do not hear us (R5).
      if (suspicions_.leaves_no_majority(ballot)) start_joining();
      continue;
    }
    const MemberEntry* entry = membership_.member(ballot.subject);
    if (entry == nullptr || entry->failed || entry->record->version != ballot.version) continue;
    if (suspicions_.open(ballot.subject, ballot.version, now)) view_stale_ = true;
    suspicions_.merge_votes(ballot);
  }
}

// On hearing of a suspicion each voter looks for itself and votes by what it finds.
void ClusterState::vote_on_suspicions(Instant now) {
  if (suspicions_.electorate().index_of(self_) == Electorate::kNotMember) return;
  for (const auto& [subject, suspicion] : suspicions_.all()) {
    vote_or_probe(subject, contact(subject), suspicion.since, now);
  }
}

void ClusterState::vote_or_probe(const NodeId& subject, Contact& contact, Instant suspected,
                                 Instant now) {
  bool linked = contact.link != 0;
  bool seen_since = contact.last_heard >= suspected ||
                    (linked && now - contact.last_heard < config_.ask_others_after());
  if (seen_since) {
    // It lives for us; look again if the suspicion stays.
    if (now - contact.last_heard < config_.ask_others_after()) return;
  }
  if (contact.probe_until == Instant{}) {
    contact.probe_until = now + config_.probe_timeout();
    contact.next_dial = std::min(contact.next_dial, now);
    PeerLink* direct = find_link(contact.link);
    if (direct != nullptr) send(*direct, ProbeMessage{ProbeMessage::Kind::Ping, subject}, now);
    return;
  }
  if (now >= contact.probe_until) suspicions_.vote(subject, self_);
}

void ClusterState::settle_verdicts(Instant now) {
  std::vector<NodeId> decided;
  for (const auto& [subject, suspicion] : suspicions_.all()) {
    if (suspicions_.has_majority(subject)) decided.push_back(subject);
  }
  for (const NodeId& subject : decided) {
    const MemberEntry* entry = membership_.member(subject);
    suspicions_.close(subject);
    if (entry != nullptr) learn(MemberNews{entry->record, true}, nullptr, now);
  }
}

void ClusterState::flush_ballots(PeerLink& link, Instant now) {
  if (link.sent_ballots >= suspicions_.last_change() &&
      now < link.last_ballots + config_.heartbeat_interval())
    return;
  if (suspicions_.all().empty()) {
    link.sent_ballots = suspicions_.last_change();
    return;
  }
  if (now < link.last_ballots + kBallotPace) {
    next_deadline_ = std::min(next_deadline_, link.last_ballots + kBallotPace);
    return;
  }
  // While a suspicion lasts it is told again each heartbeat: electorates may have differed.
  bool again = now >= link.last_ballots + config_.heartbeat_interval();
  BallotMessage message;
  size_t room = kMaxMessagePayloadBytes;
  for (const auto& [subject, suspicion] : suspicions_.all()) {
    if (!again && suspicion.change <= link.sent_ballots) continue;
    Ballot ballot = suspicions_.ballot(subject);
    size_t cost = 64 + ballot.voters.bytes().size();
    if (cost > room) break;
    room -= cost;
    message.ballots.push_back(std::move(ballot));
  }
  link.sent_ballots = suspicions_.last_change();
  link.last_ballots = now;
  if (!message.ballots.empty()) send(link, std::move(message), now);
}

// Rule R5. A node that did not run for a while (stopped, swapped, its machine asleep) has missed
// what the others may have decided, and judges nobody by a silence that was its own.
void ClusterState::notice_pause(Instant now) {
  bool paused = now - last_step_ > config_.pause_limit();
  last_step_ = now;
  if (!paused || membership_.member_count() <= 1) return;
  for (auto& [id, contact] : contacts_) {
    contact.last_heard = now;
    contact.asked_others = {};
    contact.probe_until = {};
  }
  suspicions_.clear();
  start_joining();
  settle_standing(now);
}

void ClusterState::start_joining() {
  joining_ = true;
  for (auto& [id, link] : links_) link.agrees = false;
}

// More than half of those this node keeps links to, itself counted, hold the view that it holds.
bool ClusterState::heard_from_enough() const {
  if (overlay_stale_) return false;  // not yet known whom to hear from
  size_t wanted = 0;
  size_t agreeing = 0;
  for (const auto& [id, contact] : contacts_) {
    if (!contact.wanted) continue;
    ++wanted;
    auto at = links_.find(contact.link);
    if (at != links_.end() && at->second.agrees) ++agreeing;
  }
  return 2 * (agreeing + 1) > wanted + 1;
}

Standing ClusterState::compute_standing(Instant now) const {
  if (removed_) return Standing::Removed;
  if (joining_) return Standing::Joining;
  for (const auto& [subject, suspicion] : suspicions_.all()) {
    if (now - suspicion.since > config_.verdict_within()) return Standing::Minority;
  }
  if (!config_.full_coverage_required) return Standing::Ok;
  return covered_ ? Standing::Ok : Standing::SlotsUncovered;
}

void ClusterState::refresh_coverage() {
  if (!coverage_stale_) return;
  coverage_stale_ = false;
  size_t covered = 0;
  for (const MemberEntry& entry : membership_.entries()) {
    if (!entry.removed() && !entry.failed) covered += membership_.slots().count_of(entry.index);
  }
  covered_ = covered == kSlotCount;
}

void ClusterState::settle_standing(Instant now) {
  refresh_coverage();
  if (joining_ && heard_from_enough()) joining_ = false;
  Standing standing = compute_standing(now);
  if (standing == standing_) return;
  // Whoever was cut off may have missed a hand-over by force: hear from the others first.
  if (standing_ == Standing::Minority && standing != Standing::Removed) {
    start_joining();
    standing = Standing::Joining;
  }
  standing_ = standing;
  view_stale_ = true;
  report(EventKind::StandingChanged, {});
}

}  // namespace slotd
