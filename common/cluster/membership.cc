#include "common/cluster/membership.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace slotd {
namespace {

constexpr uint64_t kIdSeed = 0x736c6f7464206964u;     // any constant, the same on every node
constexpr uint64_t kStateSeed = 0x736c6f7464737461u;  // likewise

using Rank = std::tuple<Generation, bool, Version, uint64_t, bool>;

Rank rank_of(const MemberEntry& entry) {
  if (entry.removed()) return {entry.generation, true, Version{}, 0, false};
  return {entry.generation, false, entry.record->version, entry.content, entry.failed};
}

Rank rank_of(const Rumour& rumour) {
  if (const auto* removal = std::get_if<Removal>(&rumour)) {
    return {removal->generation, true, Version{}, 0, false};
  }
  const auto& news = std::get<MemberNews>(rumour);
  const NodeRecord& record = *news.record;
  return {record.generation, false, record.version, content_hash(record), news.failed};
}

const NodeId& id_of(const Rumour& rumour) {
  if (const auto* removal = std::get_if<Removal>(&rumour)) return removal->id;
  return std::get<MemberNews>(rumour).record->id;
}

const NodeId& id_of_entry(const std::unique_ptr<MemberEntry>& entry) {
  return entry->id;
}
uint64_t hash_of_entry(const MemberEntry* entry) {
  return Membership::id_hash(entry->id);
}

}  // namespace

uint64_t Membership::id_hash(const NodeId& id) {
  return id.hash(kIdSeed);
}

uint64_t Membership::state_hash(const MemberEntry& entry) {
  auto [generation, removed, version, content, failed] = rank_of(entry);
  uint64_t flags = (removed ? 1u : 0u) | (failed ? 2u : 0u);
  uint64_t hash = entry.id.hash(kStateSeed);
  hash = hash_combine(hash, generation.value);
  hash = hash_combine(hash, version.value);
  hash = hash_combine(hash, content);
  return hash_combine(hash, flags);
}

Rumour Membership::news_of(const MemberEntry& entry) {
  if (entry.removed()) return Removal{entry.id, entry.generation};
  return MemberNews{entry.record, entry.failed};
}

const MemberEntry* Membership::find(const NodeId& id) const {
  auto at = std::ranges::lower_bound(entries_, id, {}, id_of_entry);
  return at == entries_.end() || (*at)->id != id ? nullptr : at->get();
}

const MemberEntry* Membership::member(const NodeId& id) const {
  const MemberEntry* entry = find(id);
  return entry != nullptr && !entry->removed() ? entry : nullptr;
}

const MemberEntry* Membership::find_hash(uint64_t id_hash) const {
  auto at = std::ranges::lower_bound(by_hash_, id_hash, {}, hash_of_entry);
  return at == by_hash_.end() || hash_of_entry(*at) != id_hash ? nullptr : *at;
}

std::vector<NodeId> Membership::member_ids() const {
  std::vector<NodeId> ids;
  ids.reserve(members_);
  for (const MemberEntry& entry : entries()) {
    if (!entry.removed()) ids.push_back(entry.id);
  }
  return ids;
}

void Membership::for_each_after(uint64_t change,
                                const std::function<bool(const MemberEntry&)>& visit) const {
  auto at = std::ranges::upper_bound(log_, change, {}, &Logged::change);
  for (; at != log_.end(); ++at) {
    if (at->current() && !visit(*at->entry)) return;
  }
}

Membership::Change Membership::merge(const Rumour& rumour, LinkId from) {
  Change change;
  change.outcome = judge(rumour);
  if (change.outcome == Outcome::Changed || change.outcome == Outcome::Waiting) {
    const auto* news = std::get_if<MemberNews>(&rumour);
    if (change.outcome == Outcome::Waiting) {
      waiting_[news->record->id] = {*news, from};
    } else {
      apply(rumour, from, change);
    }
    release_waiting(change);
    const MemberEntry* entry = find(id_of(rumour));
    bool applied = entry != nullptr && !(rank_of(*entry) < rank_of(rumour));
    change.outcome = applied ? Outcome::Changed : Outcome::Waiting;
  }
  return change;
}

Membership::Outcome Membership::judge(const Rumour& rumour) const {
  const NodeId& id = id_of(rumour);
  const MemberEntry* entry = find(id);
  Rank heard = rank_of(rumour);
  if (entry != nullptr && rank_of(*entry) == heard) return Outcome::Same;
  if (entry != nullptr && heard < rank_of(*entry)) return Outcome::Older;
  const auto* news = std::get_if<MemberNews>(&rumour);
  if (news == nullptr) return Outcome::Changed;
  bool joins = entry == nullptr || entry->removed();
  if (joins && members_ + waiting_.size() >= kMaxNodes) return Outcome::Full;
  if (dependencies_met(*news->record, {})) return Outcome::Changed;
  auto waits = waiting_.find(id);
  bool kept = waits != waiting_.end() && !(rank_of(Rumour{waits->second.news}) < heard);
  return kept ? Outcome::Same : Outcome::Waiting;
}

void Membership::apply(const Rumour& rumour, LinkId from, Change& change) {
  const NodeId& id = id_of(rumour);
  auto* entry = const_cast<MemberEntry*>(find(id));
  if (entry == nullptr) {
    entry = &add_entry(id);
  } else {
    toggle_digest(*entry);
  }
  store(*entry, rumour, from, change);
  toggle_digest(*entry);
  change.changed.push_back(id);
  if (entries_.size() - members_ > kMaxRemovals) drop_oldest_removal();
}

// A record that says "after B's version 7" is applied together with or after B's version 7, or once
// B is removed.
bool Membership::dependencies_met(const NodeRecord& record, const Waiting& together) const {
  for (const Dependency& dependency : record.after) {
    const MemberEntry* author = find(dependency.author);
    if (author != nullptr && author->removed()) continue;
    if (author != nullptr && author->record->version >= dependency.version) continue;
    auto waits = together.find(dependency.author);
    if (waits == together.end()) return false;
    if (waits->second.news.record->version < dependency.version) return false;
  }
  return true;
}

// Applies the greatest set of waiting records whose dependencies are met by each other and by what
// is known. Together, since slots that went from A to B and back leave records that wait for one
// another.
void Membership::release_waiting(Change& change) {
  if (waiting_.empty()) return;
  Waiting ready = waiting_;
  for (bool shrunk = true; shrunk;) {
    shrunk = std::erase_if(ready, [&](const auto& item) {
               return !dependencies_met(*item.second.news.record, ready);
             }) > 0;
  }
  for (const auto& [id, held] : ready) {
    waiting_.erase(id);
    const MemberEntry* entry = find(id);
    if (entry != nullptr && !(rank_of(*entry) < rank_of(Rumour{held.news}))) continue;
    apply(held.news, held.from, change);
  }
}

void Membership::store(MemberEntry& entry, const Rumour& rumour, LinkId from, Change& change) {
  bool was_member = entry.record != nullptr;
  if (const auto* removal = std::get_if<Removal>(&rumour)) {
    entry.generation = removal->generation;
    // Gone before its slots are looked at again, so that it cannot inherit them from itself.
    NodeRecordPtr last = std::exchange(entry.record, nullptr);
    if (was_member) {
      reclaim(entry.index, {last->config_epoch, entry.id}, SlotSet{}, change);
      by_index_[entry.index] = nullptr;
      free_.push_back(entry.index);
      entry.index = kNoMember;
      --members_;
    }
    entry.failed = false;
  } else {
    const auto& news = std::get<MemberNews>(rumour);
    if (!was_member) {
      entry.index = take_index(&entry);
      ++members_;
      change.joined.push_back(entry.id);
    }
    bool claims = !was_member || entry.record->slots != news.record->slots ||
                  entry.record->config_epoch != news.record->config_epoch;
    entry.generation = news.record->generation;
    entry.record = news.record;
    entry.content = content_hash(*news.record);
    entry.failed = news.failed;
    if (claims) {
      reclaim(entry.index, {entry.record->config_epoch, entry.id}, entry.record->slots.decode(),
              change);
    }
  }
  entry.learned_from = from;
  log_change(entry);
}

MemberEntry& Membership::add_entry(const NodeId& id) {
  auto at = std::ranges::lower_bound(entries_, id, {}, id_of_entry);
  MemberEntry& entry = **entries_.insert(at, std::make_unique<MemberEntry>());
  entry.id = id;
  by_hash_.insert(std::ranges::lower_bound(by_hash_, id_hash(id), {}, hash_of_entry), &entry);
  return entry;
}

void Membership::erase_entry(const NodeId& id) {
  const MemberEntry* entry = find(id);
  std::erase_if(log_, [entry](const Logged& logged) { return logged.entry == entry; });
  std::erase(by_hash_, entry);
  entries_.erase(std::ranges::lower_bound(entries_, id, {}, id_of_entry));
}

void Membership::log_change(MemberEntry& entry) {
  constexpr size_t kSlack = 16;
  entry.change = ++last_change_;
  if (log_.size() > 2 * entries_.size() + kSlack) {
    std::erase_if(log_, [](const Logged& logged) { return !logged.current(); });
  }
  log_.push_back({entry.change, &entry});
}

void Membership::reclaim(MemberIndex member, const ClaimRank& rank, const SlotSet& slots,
                         Change& change) {
  ++claim_changes_;
  auto others = [this](const std::function<void(const SlotMap::Claim&)>& visit) {
    for (const MemberEntry& other : entries()) {
      if (other.removed() || other.record->slots.count() == 0) continue;
      visit({other.index, other.record->slots.decode()});
    }
  };
  change.moved |= slots_.claim(member, rank, slots, others);
}

MemberIndex Membership::take_index(const MemberEntry* entry) {
  if (free_.empty()) {
    by_index_.push_back(entry);
    return static_cast<MemberIndex>(by_index_.size() - 1);
  }
  MemberIndex index = free_.back();
  free_.pop_back();
  by_index_[index] = entry;
  return index;
}

void Membership::toggle_digest(const MemberEntry& entry) {
  uint64_t hash = state_hash(entry);
  digest_ ^= hash;
  buckets_[bucket_of(id_hash(entry.id))] ^= hash;
}

void Membership::drop_oldest_removal() {
  auto oldest = std::ranges::find_if(log_, [](const Logged& logged) {
    return logged.current() && logged.entry->removed();
  });
  if (oldest == log_.end()) return;
  toggle_digest(*oldest->entry);
  erase_entry(NodeId(oldest->entry->id));
}

}  // namespace slotd
