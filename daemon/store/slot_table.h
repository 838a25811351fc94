#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "common/base/bytes.h"
#include "common/base/hash.h"
#include "common/node/slot_store.h"

namespace slotd {

// The keys of one slot: chained buckets, a power of two of them. It grows and shrinks a little with
// each change, by moving a bounded number of buckets from the old array to the new one, so no
// single command pays for the whole table.
//
// Hashes are the caller's: the same key must always come with the same hash.
class SlotTable {
 public:
  // Key, value and expiry in one allocation, the bytes behind the header.
  struct Entry {
    Entry* next;
    ExpireAt expire_at;
    uint32_t key_length;
    uint32_t value_length;

    std::string_view key() const { return {bytes(), key_length}; }
    std::string_view value() const { return {bytes() + key_length, value_length}; }
    const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
    char* bytes() { return reinterpret_cast<char*>(this + 1); }
    size_t size() const { return sizeof(Entry) + key_length + value_length; }
    bool expired(int64_t now_ms) const { return expire_at != 0 && expire_at <= now_ms; }
  };

  explicit SlotTable(uint64_t seed) : seed_(seed) {}
  ~SlotTable();
  SlotTable(const SlotTable&) = delete;
  SlotTable& operator=(const SlotTable&) = delete;

  size_t count() const { return count_; }
  size_t expiring() const { return expiring_; }
  size_t memory_bytes() const;

  const Entry* find(std::string_view key, uint64_t hash) const;
  // `value` may view into this table.
  void put(std::string_view key, uint64_t hash, std::string_view value, ExpireAt expire_at);
  bool erase(std::string_view key, uint64_t hash);
  bool set_expiry(std::string_view key, uint64_t hash, ExpireAt expire_at);

  // Visits the entries of one place of the table and returns the next cursor, 0 at the end. The
  // cursor counts in reversed bits (P. Noordhuis' scan, documented for Redis' SCAN): when the table
  // doubles, the buckets that a visited bucket is split into are all behind the cursor, when it
  // halves, those that join a visited bucket are; so an entry that stays is never missed. The
  // visitor must not change the table.
  template <typename Visit>
  uint64_t walk(uint64_t cursor, Visit visit) const;

 private:
  struct Array {
    std::unique_ptr<Entry*[]> buckets;
    size_t mask = 0;  // bucket count - 1

    size_t size() const { return buckets ? mask + 1 : 0; }
    Entry*& at(uint64_t hash) { return buckets[hash & mask]; }
  };

  static Array make_array(size_t size);
  static uint64_t next_cursor(uint64_t cursor, size_t mask);
  Entry** slot_of(std::string_view key, uint64_t hash) const;
  void resize_if_needed();
  void move_some();
  void free_entry(Entry* entry);
  template <typename Visit>
  static void visit_bucket(const Array& array, uint64_t index, Visit& visit);

  uint64_t seed_;
  Array old_;    // being emptied, from bucket moved_ on; no buckets while no resize is under way
  Array table_;  // where new entries go
  size_t moved_ = 0;
  size_t count_ = 0;
  size_t expiring_ = 0;
  size_t entry_bytes_ = 0;
};

template <typename Visit>
void SlotTable::visit_bucket(const Array& array, uint64_t index, Visit& visit) {
  for (const Entry* entry = array.buckets[index]; entry != nullptr; entry = entry->next) {
    visit(*entry);
  }
}

template <typename Visit>
uint64_t SlotTable::walk(uint64_t cursor, Visit visit) const {
  if (count_ == 0) return 0;
  if (!old_.buckets) {
    visit_bucket(table_, cursor & table_.mask, visit);
    return next_cursor(cursor, table_.mask);
  }
  // Both arrays: one bucket of the smaller, and all buckets of the larger that it covers.
  const Array& small = old_.mask < table_.mask ? old_ : table_;
  const Array& large = old_.mask < table_.mask ? table_ : old_;
  visit_bucket(small, cursor & small.mask, visit);
  do {
    visit_bucket(large, cursor & large.mask, visit);
    cursor = next_cursor(cursor, large.mask);
  } while ((cursor & (small.mask ^ large.mask)) != 0);
  return cursor;
}

}  // namespace slotd
