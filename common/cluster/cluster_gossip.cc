// What linked nodes tell each other: heartbeats, news that rides on them, and the comparison of
// views that finds what got lost.
#include "common/cluster/cluster_state.h"

namespace slotd {
namespace {

// Upper bounds on encoded sizes, so that no message outgrows kMaxMessagePayloadBytes.
size_t cost_of(const Rumour& rumour) {
  if (std::holds_alternative<Removal>(rumour)) return 48;
  const NodeRecord& record = *std::get<MemberNews>(rumour).record;
  return 160 + record.address.ip.size() + record.address.hostname.size() +
         record.slots.bytes().size() + record.after.size() * 36;
}

constexpr size_t kItemCost = 20;  // two fixed 64-bit numbers and their tags
constexpr size_t kMaxItems = kMaxMessagePayloadBytes / kItemCost;

}  // namespace

void ClusterState::send(PeerLink& link, Message message, Instant now) {
  link.last_sent = now;
  output_.messages.push_back({link.id, std::move(message)});
}

bool ClusterState::has_news(const PeerLink& link) const {
  if (!link.owed.empty()) return true;
  bool found = false;
  membership_.for_each_after(link.sent_change, [&](const MemberEntry& entry) {
    found = entry.learned_from != link.id;
    return !found;
  });
  return found;
}

void ClusterState::collect_news(PeerLink& link, HeartbeatMessage& heartbeat) {
  size_t room = kMaxMessagePayloadBytes;
  auto add = [&](const MemberEntry& entry) {
    Rumour rumour = Membership::news_of(entry);
    size_t cost = cost_of(rumour);
    if (cost > room) return false;
    room -= cost;
    heartbeat.rumours.push_back(std::move(rumour));
    return true;
  };
  membership_.for_each_after(link.sent_change, [&](const MemberEntry& entry) {
    bool echo = entry.learned_from == link.id;
    if (!echo && !add(entry)) return false;
    link.owed.erase(entry.id);
    link.sent_change = entry.change;
    return true;
  });
  while (!link.owed.empty()) {
    const MemberEntry* entry = membership_.find(*link.owed.begin());
    if (entry != nullptr && !add(*entry)) break;
    link.owed.erase(link.owed.begin());
  }
}

void ClusterState::flush_news(PeerLink& link, Instant now) {
  bool due = now >= link.next_heartbeat;
  HeartbeatMessage heartbeat;
  collect_news(link, heartbeat);
  if (!due && heartbeat.rumours.empty()) return;
  if (!heartbeat.rumours.empty()) link.last_news = now;
  if (due && config_.myslots_in_every_heartbeat) {
    bool there =
        std::any_of(heartbeat.rumours.begin(), heartbeat.rumours.end(), [this](const Rumour& r) {
          const auto* news = std::get_if<MemberNews>(&r);
          return news != nullptr && news->record->id == self_;
        });
    if (!there) heartbeat.rumours.push_back(Membership::news_of(self_entry()));
  }
  heartbeat.sequence = link.sent_change;
  heartbeat.acknowledged = link.received_change;
  heartbeat.version = self().version;
  heartbeat.digest = membership_.digest();
  heartbeat.current_epoch = current_epoch_;
  link.next_heartbeat = now + config_.heartbeat_interval();
  send(link, std::move(heartbeat), now);
}

// Heartbeats and news that are due now; sets when the next are.
void ClusterState::gossip_due(Instant now) {
  for (auto& [id, link] : links_) {
    if (!link.up()) continue;
    bool unheard = link.acknowledged_change < link.sent_change &&
                   now - link.last_news > 3 * config_.heartbeat_interval();
    if (unheard) link.sent_change = link.acknowledged_change;
    Instant paced = link.last_news + kNewsPace;
    if (now >= link.next_heartbeat || (now >= paced && has_news(link))) flush_news(link, now);
    bool more = has_news(link);
    next_deadline_ = std::min(
        next_deadline_, more ? std::max(now, link.last_news + kNewsPace) : link.next_heartbeat);
    flush_ballots(link, now);
    bool lasting = link.differs && now - link.differs_since > 2 * config_.heartbeat_interval();
    if (lasting && now - link.last_compare > config_.heartbeat_interval()) start_compare(link, now);
  }
}

void ClusterState::on_heartbeat(PeerLink& link, const HeartbeatMessage& heartbeat, Instant now) {
  LinkId id = link.id;
  link.received_change = std::max(link.received_change, heartbeat.sequence);
  link.acknowledged_change = std::max(link.acknowledged_change, heartbeat.acknowledged);
  raise_epoch(heartbeat.current_epoch.value);
  PeerLink* from = &link;
  for (const Rumour& rumour : heartbeat.rumours) {
    learn(rumour, from, now);
    // A removal may have closed the link, or all links.
    from = find_link(id);
    if (from == nullptr) return;
  }
  const MemberEntry* entry = membership_.member(from->peer);
  bool missed = entry != nullptr && entry->record->version < heartbeat.version;
  note_digest(*from, heartbeat.digest, now);
  if (missed && now - from->last_compare > config_.heartbeat_interval()) start_compare(*from, now);
}

void ClusterState::note_digest(PeerLink& link, uint64_t digest, Instant now) {
  bool differs = digest != membership_.digest();
  if (differs && !link.differs) link.differs_since = now;
  link.differs = differs;
  if (!differs) link.agrees = true;
}

void ClusterState::start_compare(PeerLink& link, Instant now) {
  // One comparison at a time is enough: what it brings mends the others.
  if (now - last_compare_ < config_.compare_interval() && last_compare_ != Instant{} &&
      membership_.member_count() > 2) {
    return;
  }
  last_compare_ = link.last_compare = now;
  CompareMessage compare;
  const auto& buckets = membership_.bucket_digests();
  compare.buckets.assign(buckets.begin(), buckets.end());
  send(link, std::move(compare), now);
}

void ClusterState::on_compare(PeerLink& link, const CompareMessage& compare, Instant now) {
  if (!compare.buckets.empty()) answer_buckets(link, compare, now);
  if (!compare.of_buckets.empty()) answer_items(link, compare, now);
  for (uint64_t hash : compare.wanted) {
    const MemberEntry* entry = membership_.find_hash(hash);
    if (entry != nullptr) link.owed.insert(entry->id);
  }
}

void ClusterState::answer_buckets(PeerLink& link, const CompareMessage& compare, Instant now) {
  std::array<std::vector<CompareMessage::Item>, kDigestBuckets> ours;
  for (const MemberEntry& entry : membership_.entries()) {
    uint64_t hash = Membership::id_hash(entry.id);
    ours[Membership::bucket_of(hash)].push_back({hash, Membership::state_hash(entry)});
  }
  CompareMessage answer;
  for (size_t bucket = 0; bucket < kDigestBuckets; ++bucket) {
    if (compare.buckets[bucket] == membership_.bucket_digests()[bucket]) continue;
    if (answer.items.size() + ours[bucket].size() > kMaxItems) break;
    answer.of_buckets.push_back(static_cast<uint16_t>(bucket));
    answer.items.insert(answer.items.end(), ours[bucket].begin(), ours[bucket].end());
  }
  if (!answer.of_buckets.empty()) send(link, std::move(answer), now);
}

void ClusterState::answer_items(PeerLink& link, const CompareMessage& compare, Instant now) {
  std::set<uint64_t> theirs;
  CompareMessage answer;
  for (const CompareMessage::Item& item : compare.items) {
    theirs.insert(item.id_hash);
    const MemberEntry* entry = membership_.find_hash(item.id_hash);
    if (entry == nullptr) {
      answer.wanted.push_back(item.id_hash);
    } else if (Membership::state_hash(*entry) != item.state_hash) {
      // Whoever of the two is behind hears the other: an older record is answered with the newer
      // one.
      link.owed.insert(entry->id);
    }
  }
  std::set<uint16_t> buckets(compare.of_buckets.begin(), compare.of_buckets.end());
  for (const MemberEntry& entry : membership_.entries()) {
    uint64_t hash = Membership::id_hash(entry.id);
    bool asked = buckets.contains(static_cast<uint16_t>(Membership::bucket_of(hash)));
    if (asked && !theirs.contains(hash)) link.owed.insert(entry.id);
  }
  if (!answer.wanted.empty()) send(link, std::move(answer), now);
}

}  // namespace slotd
