#pragma once

#include <map>
#include <memory>
#include <vector>

#include "common/base/time.h"
#include "common/cluster/message.h"

namespace slotd {

// The slot-owning masters, ascending: those who decide whether a node has failed. A value, shared
// by all suspicions that were opened under it.
class Electorate {
 public:
  static constexpr size_t kNotMember = SIZE_MAX;

  explicit Electorate(std::vector<NodeId> ids);

  size_t size() const { return ids_.size(); }
  size_t majority() const { return ids_.size() / 2 + 1; }
  uint64_t hash() const { return hash_; }
  const NodeId& id(size_t index) const { return ids_[index]; }
  size_t index_of(const NodeId& id) const;  // kNotMember when it has no vote

 private:
  std::vector<NodeId> ids_;
  uint64_t hash_;
};

// Who holds whom for dead. A suspicion is about one version of one record: when the suspect speaks
// up with a newer version it is void (SWIM's incarnation numbers: Das et al., 2002, section 4.2).
// Votes only accumulate, so merging ballots is a union and the order of arrival cannot matter.
class Suspicions {
 public:
  struct Suspicion {
    Version version;
    Instant since{};              // when this node first heard of it
    uint64_t change = 0;          // counts changes of all suspicions
    std::vector<uint64_t> votes;  // bit i: member i of the electorate
    size_t vote_count = 0;
    // The ballot in the form it is sent, encoded once per change and not once per link.
    mutable MySlots encoded;
    mutable uint64_t encoded_change = 0;
  };

  // Keeps the votes of those who are in the new electorate too.
  void set_electorate(std::shared_ptr<const Electorate> electorate);
  const Electorate& electorate() const { return *electorate_; }

  // Opens it if it is not open for this version or a newer one; true when it was not.
  bool open(const NodeId& subject, Version version, Instant now);
  // False when the voter has no vote or has voted.
  bool vote(const NodeId& subject, const NodeId& voter);
  // The votes of a peer's ballot for a suspicion that is open; true when any was new. A ballot of
  // another electorate cannot be read and changes nothing.
  bool merge_votes(const Ballot& ballot);
  // True when those who have not voted in it are no majority. False for another electorate's.
  bool leaves_no_majority(const Ballot& ballot) const;
  void close(const NodeId& subject);
  void clear() { open_.clear(); }

  const Suspicion* find(const NodeId& subject) const;
  bool has_majority(const NodeId& subject) const;
  const std::map<NodeId, Suspicion>& all() const { return open_; }
  uint64_t last_change() const { return last_change_; }
  Ballot ballot(const NodeId& subject) const;

 private:
  void touch(Suspicion& suspicion) { suspicion.change = ++last_change_; }

  std::shared_ptr<const Electorate> electorate_ =
      std::make_shared<const Electorate>(std::vector<NodeId>{});
  std::map<NodeId, Suspicion> open_;
  uint64_t last_change_ = 0;
};

}  // namespace slotd
