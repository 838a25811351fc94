#include "common/cluster/cluster_state.h"

#include "common/cluster/overlay.h"

namespace slotd {

PersistentState fresh_identity(uint64_t seed, const NodeAddress& address) {
  Rng rng(seed);
  PersistentState state;
  for (uint8_t& byte : state.self.id.bytes) byte = static_cast<uint8_t>(rng.next());
  for (uint8_t& byte : state.cluster.bytes) byte = static_cast<uint8_t>(rng.next());
  state.self.address = address;
  return state;
}

ClusterState::ClusterState(ClusterConfig config, PersistentState state, uint64_t seed, Instant now)
    : config_(std::move(config)), rng_(seed), last_step_(now), next_check_(now) {
  load(state);
  removed_ = state.removed;
  joining_ = !alone_except(self_);
  // A new version tells everybody that we are back, and voids what was said about the old one.
  revise_self([this](NodeRecord& record) { set_own_slots(record, own_slots_); });
  drop_lost_slots();
  finish(now);
}

void ClusterState::load(const PersistentState& state) {
  self_ = state.self.id;
  cluster_ = state.cluster;
  current_epoch_ = state.current_epoch;
  migrating_ = state.migrating;
  importing_ = state.importing;
  auto own = std::make_shared<NodeRecord>(state.self);
  own->after.clear();
  own_slots_ = own->slots.decode();
  membership_.merge(MemberNews{own, false}, 0);
  for (const Removal& removal : state.removals) membership_.merge(removal, 0);
  for (const NodeRecord& record : state.members) {
    auto member = std::make_shared<NodeRecord>(record);
    // What was applied before the restart needs to wait for nobody now.
    member->after.clear();
    membership_.merge(MemberNews{member, false}, 0);
    raise_epoch(record.config_epoch.value);
  }
  raise_epoch(own->config_epoch.value);
}

PersistentState ClusterState::persistent_state() const {
  PersistentState state;
  state.cluster = cluster_;
  state.self = self();
  state.current_epoch = current_epoch_;
  state.removed = removed_;
  state.migrating = migrating_;
  state.importing = importing_;
  for (const MemberEntry& entry : membership_.entries()) {
    if (entry.id == self_) continue;
    if (entry.removed()) {
      state.removals.push_back({entry.id, entry.generation});
    } else {
      state.members.push_back(*entry.record);
    }
  }
  return state;
}

bool ClusterState::alone_except(const NodeId& peer) const {
  if (removed_) return true;
  bool hosts_others = std::any_of(hosted_.begin(), hosted_.end(),
                                  [&](const auto& item) { return item.first != peer; });
  if (hosts_others) return false;
  size_t known = 1 + (peer != self_ && membership_.member(peer) != nullptr ? 1u : 0u);
  return membership_.member_count() == known;
}

void ClusterState::report(EventKind kind, std::string text, SlotSet slots) {
  output_.events.push_back({kind, std::move(text), slots});
}

void ClusterState::raise_epoch(uint64_t epoch) {
  if (epoch <= current_epoch_.value) return;
  current_epoch_.value = epoch;
  view_stale_ = true;
  need_save(SaveNeed::Soon);
}

void ClusterState::set_own_slots(NodeRecord& record, const SlotSet& slots) const {
  record.slots = config_.forced_encoding ? MySlots::encode_as(slots, *config_.forced_encoding)
                                         : MySlots::encode(slots);
}

void ClusterState::set_address(const NodeAddress& address, Instant now) {
  if (self().address == address) return;
  revise_self([&](NodeRecord& record) { record.address = address; });
  finish(now);
}

void ClusterState::set_config(const ClusterConfig& config, Instant now) {
  bool encoding_changed = config.forced_encoding != config_.forced_encoding;
  config_ = config;
  if (encoding_changed) {
    revise_self([this](NodeRecord& record) { set_own_slots(record, own_slots_); });
  }
  view_stale_ = true;
  finish(now);
}

void ClusterState::learn(const Rumour& rumour, PeerLink* from, Instant now) {
  const auto* removal = std::get_if<Removal>(&rumour);
  const NodeId& id = removal ? removal->id : std::get<MemberNews>(rumour).record->id;
  if (id == self_) return learn_about_self(rumour, from, now);
  Membership::Change change = membership_.merge(rumour, from != nullptr ? from->id : 0);
  if (change.outcome == Membership::Outcome::Older && from != nullptr) from->owed.insert(id);
  if (!change.changed.empty()) after_change(change, now);
}

// We alone author our record (R1). What comes back is either what we said, or our own later words
// from before an old state file was put back, or a verdict or an older self that we disprove by
// speaking.
void ClusterState::learn_about_self(const Rumour& rumour, PeerLink* from, Instant) {
  const NodeRecord& mine = self();
  if (const auto* removal = std::get_if<Removal>(&rumour)) {
    if (removal->generation >= mine.generation) {
      become_removed(removal->generation);
    } else if (from != nullptr) {
      from->owed.insert(self_);
    }
    return;
  }
  const auto& news = std::get<MemberNews>(rumour);
  bool later = news.record->generation > mine.generation ||
               (news.record->generation == mine.generation && news.record->version > mine.version);
  bool same = news.record->generation == mine.generation && news.record->version == mine.version;
  bool disproved = same && (news.failed || content_hash(*news.record) != content_hash(mine));
  if (later) {
    own_slots_ = news.record->slots.decode();
    NodeRecordPtr told = news.record;
    NodeAddress address = mine.address;
    revise_self([&](NodeRecord& record) {
      record = *told;
      record.address = address;
    });
    raise_epoch(told->config_epoch.value);
    drop_lost_slots();
    close_stale_open_slots();
  } else if (disproved) {
    revise_self([](NodeRecord&) {});
  } else if (from != nullptr && news.record->version < mine.version) {
    from->owed.insert(self_);
  }
  // The majority went on without us, perhaps since we can hear and are not heard (R5). Peers whose
  // digest is ours again have heard our newest version, so the way out is open too.
  if (news.failed && news.record->generation == self().generation) start_joining();
}

void ClusterState::after_change(const Membership::Change& change, Instant now) {
  for (const NodeId& id : change.changed) after_entry_change(id, now);
  for (const NodeId& id : change.joined) {
    hosted_.erase(id);
    const NodeAddress& address = membership_.find(id)->record->address;
    report(EventKind::MemberJoined,
           fmt::format("node {} at {}:{} joined", id.hex(), address.ip, address.port));
  }
  if (!change.joined.empty()) overlay_stale_ = electorate_stale_ = true;
  world_changed();
  need_save(SaveNeed::Soon);
  if (!change.moved.empty()) {
    electorate_stale_ = true;
    drop_lost_slots();
    close_stale_open_slots();
  }
}

void ClusterState::after_entry_change(const NodeId& id, Instant now) {
  const MemberEntry& entry = *membership_.find(id);
  const auto* open = suspicions_.find(id);
  if (entry.removed()) {
    need_save(SaveNeed::Now);
    suspicions_.close(id);
    auto at = contacts_.find(id);
    if (at != contacts_.end()) {
      Contact gone = at->second;
      contacts_.erase(at);
      close_link(gone.link, now);
      close_link(gone.dialling, now);
    }
    report(EventKind::MemberRemoved, fmt::format("node {} was removed", id.hex()));
    overlay_stale_ = electorate_stale_ = true;
    return;
  }
  if (open != nullptr && (entry.failed || open->version < entry.record->version)) {
    suspicions_.close(id);
  }
  raise_epoch(entry.record->config_epoch.value);
  if (entry.failed) {
    report(EventKind::MemberFailed, fmt::format("node {} has failed", id.hex()));
  }
}

// Rule R2: who loses a slot says so in its own record, and names the record it must be read after.
void ClusterState::drop_lost_slots() {
  SlotSet lost = own_slots_ - membership_.slots().slots_of(self_entry().index);
  if (lost.empty()) return;
  own_slots_ -= lost;
  std::vector<Dependency> after = self().after;
  lost.for_each([&](Slot slot) {
    const NodeRecord& winner = *membership_.at(membership_.slots().owner(slot)).record;
    std::erase_if(after, [&](const Dependency& d) { return d.author == winner.id; });
    after.push_back({winner.id, winner.version});
  });
  if (after.size() > kMaxDependencies) {
    after.erase(after.begin(), after.end() - static_cast<ptrdiff_t>(kMaxDependencies));
  }
  revise_self([&](NodeRecord& record) {
    set_own_slots(record, own_slots_);
    record.after = after;
  });
  report(EventKind::SlotsLost,
         fmt::format("{} slots now belong to others by a newer claim", lost.count()), lost);
}

void ClusterState::close_stale_open_slots() {
  auto closed = std::erase_if(migrating_, [this](const auto& open) { return !owns(open.first); });
  closed += std::erase_if(importing_, [this](const auto& open) { return owns(open.first); });
  closed += std::erase_if(yielded_, [this](const auto& open) { return !owns(open.first); });
  if (closed > 0) need_save(SaveNeed::Soon);
}

void ClusterState::become_removed(Generation generation) {
  if (removed_) return;
  removed_ = true;
  revise_self(
      [&](NodeRecord& record) { record.generation = std::max(record.generation, generation); });
  for (const auto& [id, link] : links_) output_.closes.push_back(id);
  links_.clear();
  contacts_.clear();
  suspicions_.clear();
  report(EventKind::MemberRemoved, "this node was removed from its cluster by an operator");
}

void ClusterState::on_accept(LinkId id, const std::string& remote_ip, Instant now) {
  notice_pause(now);
  PeerLink& link = links_[id];
  link.id = id;
  link.phase = PeerLink::Phase::Greeting;
  link.remote_ip = remote_ip;
  link.opened = link.last_heard = now;
  finish(now);
}

void ClusterState::step(LinkId id, const Message& message, Instant now) {
  notice_pause(now);
  PeerLink* link = find_link(id);
  if (link == nullptr) return;
  link->last_heard = now;
  if (const auto* hello = std::get_if<HelloMessage>(&message)) {
    if (link->phase == PeerLink::Phase::Greeting && !link->outbound) on_hello(*link, *hello, now);
  } else if (const auto* welcome = std::get_if<WelcomeMessage>(&message)) {
    if (link->phase == PeerLink::Phase::Greeting && link->outbound)
      on_welcome(*link, *welcome, now);
  } else if (const auto* reason = std::get_if<RefuseMessage>(&message)) {
    on_refuse(*link, *reason, now);
  } else if (link->up()) {
    heard_alive(link->peer, now);
    if (const auto* heartbeat = std::get_if<HeartbeatMessage>(&message)) {
      on_heartbeat(*link, *heartbeat, now);
    } else if (const auto* compare = std::get_if<CompareMessage>(&message)) {
      on_compare(*link, *compare, now);
    } else if (const auto* probe = std::get_if<ProbeMessage>(&message)) {
      on_probe(*link, *probe, now);
    } else if (const auto* ballots = std::get_if<BallotMessage>(&message)) {
      on_ballots(*link, *ballots, now);
    }
  }
  finish(now);
}

void ClusterState::tick(Instant now) {
  notice_pause(now);
  if (now >= next_check_) {
    next_check_ = now + kCheckInterval;
    if (!removed_) watch_contacts(now);
    if (!removed_) vote_on_suspicions(now);
    drop_unwanted_links(now);
  }
  finish(now);
}

Result<void> ClusterState::apply(const AdminCommand& command, Instant now) {
  notice_pause(now);
  Result<void> result = std::visit([&](const auto& c) { return run(c, now); }, command);
  finish(now);
  return result;
}

// What follows from any event, in one order: the overlay, dials, verdicts, news, the next deadline.
void ClusterState::finish(Instant now) {
  refresh_electorate();
  settle_verdicts(now);
  refresh_overlay(now);
  dial_meets(now);
  if (!removed_) dial_contacts(now);
  settle_standing(now);
  next_deadline_ = next_check_;
  gossip_due(now);
}

void ClusterState::refresh_overlay(Instant now) {
  if (!overlay_stale_ || removed_) return;
  overlay_stale_ = false;
  auto unreachable = [&](const NodeId& id) {
    auto at = contacts_.find(id);
    if (at == contacts_.end() || membership_.find(id)->failed) return true;
    const Contact& contact = at->second;
    return contact.link == 0 && contact.wanted &&
           now - contact.last_heard > config_.ask_others_after();
  };
  std::vector<NodeId> peers = overlay_peers(membership_.member_ids(), self_, unreachable);
  std::map<NodeId, Contact*> before;
  for (auto& [id, contact] : contacts_) {
    if (contact.wanted) before[id] = &contact;
    contact.wanted = false;
  }
  for (const NodeId& id : peers) {
    Contact& wanted = contact(id);
    wanted.wanted = true;
    if (before.contains(id)) continue;
    wanted.wanted_since = wanted.last_heard = now;
    // One side dials first, so that most pairs never have two links.
    wanted.next_dial =
        std::max(wanted.next_dial, self_ < id || joining_ ? now : now + milliseconds(300));
  }
}

void ClusterState::refresh_electorate() {
  if (!electorate_stale_) return;
  electorate_stale_ = false;
  std::vector<NodeId> owners, masters;
  for (const MemberEntry& entry : membership_.entries()) {
    if (entry.removed() || entry.record->role != NodeRole::Master) continue;
    masters.push_back(entry.id);
    if (membership_.slots().count_of(entry.index) > 0) owners.push_back(entry.id);
  }
  // Before any slot is assigned all masters decide.
  suspicions_.set_electorate(
      std::make_shared<const Electorate>(owners.empty() ? std::move(masters) : std::move(owners)));
}

Output ClusterState::take_output() {
  return std::exchange(output_, Output{});
}

std::shared_ptr<const ClusterView> ClusterState::view() {
  if (!view_stale_ && view_ != nullptr) return view_;
  view_stale_ = false;
  auto view = std::make_shared<ClusterView>();
  view->revision = ++revision_;
  view->cluster = cluster_;
  view->myself = self_;
  view->current_epoch = current_epoch_;
  view->digest = membership_.digest();
  view->standing = standing_;
  view->full_coverage_required = config_.full_coverage_required;
  view->migrating = migrating_;
  view->importing = importing_;
  std::vector<uint16_t> position(kMaxNodes + 1, ClusterView::kNobody);
  for (const MemberEntry& entry : membership_.entries()) {
    if (entry.removed()) continue;
    position[entry.index] = static_cast<uint16_t>(view->members.size());
    Health health = entry.failed                      ? Health::Failed
                    : suspicions_.find(entry.id) != nullptr ? Health::Suspect
                                                      : Health::Ok;
    view->members.push_back({entry.record, health, 0});
  }
  for (size_t s = 0; s < kSlotCount; ++s) {
    MemberIndex owner = membership_.slots().owner(static_cast<Slot>(s));
    view->owners[s] = owner == kNoMember ? ClusterView::kNobody : position[owner];
  }
  for (const auto& [slot, target] : yielded_) {
    const Member* member = view->find(target);
    if (member != nullptr)
      view->owners[slot] = static_cast<uint16_t>(member - view->members.data());
  }
  for (uint16_t owner : view->owners) {
    if (owner != ClusterView::kNobody) ++view->members[owner].slot_count;
  }
  view_ = view;
  return view_;
}

std::vector<LinkStatus> ClusterState::links() const {
  std::vector<LinkStatus> all;
  for (const auto& [id, contact] : contacts_) {
    auto at = links_.find(contact.link);
    if (at == links_.end()) {
      if (contact.wanted) all.push_back({id, false, false, {}, {}, contact.last_heard});
      continue;
    }
    const PeerLink& link = at->second;
    all.push_back({id, true, link.outbound, link.since, link.last_sent, link.last_heard});
  }
  return all;
}

const NodeId* ClusterState::peer_of(LinkId id) const {
  auto at = links_.find(id);
  return at != links_.end() && at->second.up() ? &at->second.peer : nullptr;
}

size_t ClusterState::wanted_links() const {
  return static_cast<size_t>(std::count_if(contacts_.begin(), contacts_.end(),
                                           [](const auto& item) { return item.second.wanted; }));
}

}  // namespace slotd
