#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <vector>

#include "common/cluster/link.h"
#include "common/cluster/message.h"
#include "common/cluster/slot_map.h"

namespace slotd {

// What this node knows of one id: its record, or that it was removed. Two such pieces of knowledge
// are ordered by (generation, removed, version, content, failed) and merging keeps the greater, so
// merging is commutative, associative and idempotent.
struct MemberEntry {
  NodeId id;
  Generation generation;
  NodeRecordPtr record;  // null: removed in this generation
  uint64_t content = 0;  // content_hash of the record
  bool failed = false;   // verdict of the majority on this version
  MemberIndex index = kNoMember;
  uint64_t change = 0;      // this node's counter when the entry last changed
  LinkId learned_from = 0;  // 0: from an operator or by itself

  bool removed() const { return record == nullptr; }
};

// All that a node knows of the others and of itself, with the digest of it, the order in which it
// changed, and the slot map that follows from it.
class Membership {
 public:
  enum class Outcome : uint8_t {
    Changed,
    Same,
    Older,    // what we know is greater; the sender should hear of it
    Waiting,  // depends on a record that has not arrived; kept aside until it does
    Full,     // kMaxNodes
  };

  // What one merge did to the world.
  struct Change {
    Outcome outcome = Outcome::Same;
    std::vector<NodeId> changed;  // the entry itself and those that waited for it
    std::vector<NodeId> joined;   // those of them that were no members before
    SlotSet moved;                // slots whose owner changed
  };

  // Knowledge from a peer, or our own record (whose author is the caller). `from` is the link that
  // needs no echo.
  Change merge(const Rumour& rumour, LinkId from);

  const MemberEntry* find(const NodeId& id) const;    // removed ones too
  const MemberEntry* member(const NodeId& id) const;  // live members only
  const MemberEntry& at(MemberIndex index) const { return *by_index_[index]; }
  size_t member_count() const { return members_; }
  std::vector<NodeId> member_ids() const;  // ascending
  // All entries, removed ones too, ascending by id.
  auto entries() const {
    auto entry_of = [](const std::unique_ptr<MemberEntry>& entry) -> const MemberEntry& {
      return *entry;
    };
    return entries_ | std::views::transform(entry_of);
  }
  const SlotMap& slots() const { return slots_; }

  // Equal on two nodes exactly when they know the same, but for a chance of 2^-64.
  uint64_t digest() const { return digest_; }
  const std::array<uint64_t, kDigestBuckets>& bucket_digests() const { return buckets_; }
  static uint64_t id_hash(const NodeId& id);
  static uint64_t state_hash(const MemberEntry& entry);
  static size_t bucket_of(uint64_t id_hash) { return id_hash % kDigestBuckets; }
  const MemberEntry* find_hash(uint64_t id_hash) const;

  uint64_t last_change() const { return last_change_; }
  // Counts how often anybody's claims or epoch changed.
  uint64_t claim_changes() const { return claim_changes_; }
  // Visits the entries that changed after `change`, oldest first, until the visitor says false.
  void for_each_after(uint64_t change, const std::function<bool(const MemberEntry&)>& visit) const;

  static Rumour news_of(const MemberEntry& entry);

 private:
  struct Held {
    MemberNews news;
    LinkId from;
  };
  using Waiting = std::map<NodeId, Held>;
  // An entry at the time of a change; out of date when the entry has changed again since.
  struct Logged {
    uint64_t change;
    const MemberEntry* entry;

    bool current() const { return entry->change == change; }
  };

  Outcome judge(const Rumour& rumour) const;
  void apply(const Rumour& rumour, LinkId from, Change& change);
  bool dependencies_met(const NodeRecord& record, const Waiting& together) const;
  void release_waiting(Change& change);
  void store(MemberEntry& entry, const Rumour& rumour, LinkId from, Change& change);
  MemberEntry& add_entry(const NodeId& id);
  void erase_entry(const NodeId& id);
  void log_change(MemberEntry& entry);
  void reclaim(MemberIndex member, const ClaimRank& rank, const SlotSet& slots, Change& change);
  void toggle_digest(const MemberEntry& entry);
  MemberIndex take_index(const MemberEntry* entry);
  void drop_oldest_removal();

  // Sorted vectors and not maps: of a member's heap a third were nodes of trees.
  std::vector<std::unique_ptr<MemberEntry>> entries_;  // ascending by id
  std::vector<const MemberEntry*> by_hash_;            // ascending by id_hash
  std::vector<const MemberEntry*> by_index_;  // null: free
  std::vector<MemberIndex> free_;
  std::vector<Logged> log_;  // ascending by change; of each entry one is current
  Waiting waiting_;
  SlotMap slots_;
  std::array<uint64_t, kDigestBuckets> buckets_{};
  uint64_t digest_ = 0;
  uint64_t last_change_ = 0;
  uint64_t claim_changes_ = 0;
  size_t members_ = 0;
};

}  // namespace slotd
