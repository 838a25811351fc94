#include "common/cluster/suspicions.h"

#include <algorithm>
#include <bit>

namespace slotd {
namespace {

bool test(const std::vector<uint64_t>& bits, size_t index) {
  return (bits[index / 64] >> (index % 64) & 1) != 0;
}

void set(std::vector<uint64_t>& bits, size_t index) {
  bits[index / 64] |= uint64_t{1} << (index % 64);
}

}  // namespace

Electorate::Electorate(std::vector<NodeId> ids) : ids_(std::move(ids)), hash_(mix64(ids_.size())) {
  SLOT_ASSERT(std::is_sorted(ids_.begin(), ids_.end()));
  for (const NodeId& id : ids_) hash_ = hash_combine(hash_, id.hash());
}

size_t Electorate::index_of(const NodeId& id) const {
  auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
  return at != ids_.end() && *at == id ? static_cast<size_t>(at - ids_.begin()) : kNotMember;
}

void Suspicions::set_electorate(std::shared_ptr<const Electorate> electorate) {
  if (electorate->hash() == electorate_->hash()) return;
  for (auto& [subject, suspicion] : open_) {
    std::vector<uint64_t> votes((electorate->size() + 63) / 64);
    suspicion.vote_count = 0;
    for (size_t i = 0; i < electorate_->size(); ++i) {
      if (!test(suspicion.votes, i)) continue;
      size_t index = electorate->index_of(electorate_->id(i));
      if (index == Electorate::kNotMember) continue;
      set(votes, index);
      ++suspicion.vote_count;
    }
    suspicion.votes = std::move(votes);
    touch(suspicion);
  }
  electorate_ = std::move(electorate);
}

bool Suspicions::open(const NodeId& subject, Version version, Instant now) {
  auto [at, fresh] = open_.try_emplace(subject);
  Suspicion& suspicion = at->second;
  if (!fresh && suspicion.version >= version) return false;
  suspicion = Suspicion{};
  suspicion.version = version;
  suspicion.since = now;
  suspicion.votes.assign((electorate_->size() + 63) / 64, 0);
  touch(suspicion);
  return true;
}

bool Suspicions::vote(const NodeId& subject, const NodeId& voter) {
  auto at = open_.find(subject);
  size_t index = electorate_->index_of(voter);
  if (at == open_.end() || index == Electorate::kNotMember) return false;
  Suspicion& suspicion = at->second;
  if (test(suspicion.votes, index)) return false;
  set(suspicion.votes, index);
  ++suspicion.vote_count;
  touch(suspicion);
  return true;
}

bool Suspicions::merge_votes(const Ballot& ballot) {
  auto at = open_.find(ballot.subject);
  if (at == open_.end() || at->second.version != ballot.version) return false;
  if (ballot.electorate != electorate_->hash()) return false;
  Suspicion& suspicion = at->second;
  size_t before = suspicion.vote_count;
  ballot.voters.decode().for_each([&](Slot index) {
    if (index >= electorate_->size() || test(suspicion.votes, index)) return;
    set(suspicion.votes, index);
    ++suspicion.vote_count;
  });
  if (suspicion.vote_count == before) return false;
  touch(suspicion);
  return true;
}

bool Suspicions::leaves_no_majority(const Ballot& ballot) const {
  if (ballot.electorate != electorate_->hash() || electorate_->size() == 0) return false;
  size_t others = electorate_->size() - std::min(electorate_->size(), ballot.voters.count());
  return others < electorate_->majority();
}

void Suspicions::close(const NodeId& subject) {
  open_.erase(subject);
}

const Suspicions::Suspicion* Suspicions::find(const NodeId& subject) const {
  auto at = open_.find(subject);
  return at == open_.end() ? nullptr : &at->second;
}

bool Suspicions::has_majority(const NodeId& subject) const {
  const Suspicion* suspicion = find(subject);
  return suspicion != nullptr && electorate_->size() > 0 &&
         suspicion->vote_count >= electorate_->majority();
}

Ballot Suspicions::ballot(const NodeId& subject) const {
  const Suspicion& suspicion = open_.at(subject);
  if (suspicion.encoded_change != suspicion.change) {
    SlotSet voters;
    for (size_t i = 0; i < electorate_->size(); ++i) {
      if (test(suspicion.votes, i)) voters.insert(static_cast<Slot>(i));
    }
    suspicion.encoded = MySlots::encode(voters);
    suspicion.encoded_change = suspicion.change;
  }
  return {subject, suspicion.version, electorate_->hash(), suspicion.encoded};
}

}  // namespace slotd
