#pragma once

#include <array>
#include <memory>

#include "common/node/slot_store.h"
#include "common/slot/slot_set.h"
#include "daemon/store/slot_table.h"

namespace slotd {

// The embedded store: one hash table a slot, there only while the slot has keys, so that an empty
// slot costs a pointer and dropping a slot touches no other.
class MemoryStore final : public SlotStore {
 public:
  // `seed` keys the hash, so that clients cannot choose keys that collide.
  explicit MemoryStore(uint64_t seed) : seed_(seed) {}

  std::optional<ValueView> get(Slot slot, std::string_view key, int64_t now_ms) override;
  bool contains(Slot slot, std::string_view key, int64_t now_ms) override;
  void put(Slot slot, std::string_view key, std::string_view value, ExpireAt expire_at) override;
  bool erase(Slot slot, std::string_view key, int64_t now_ms) override;
  bool set_expiry(Slot slot, std::string_view key, ExpireAt expire_at, int64_t now_ms) override;

  size_t count(Slot slot) const override;
  size_t size() const override { return size_; }
  size_t expiring() const override { return expiring_; }
  size_t memory_bytes() const override;

  std::vector<std::string> list(Slot slot, size_t limit, int64_t now_ms) override;
  uint64_t walk(Slot slot, uint64_t cursor, size_t about, int64_t now_ms,
                const Visit& visit) override;

  size_t drop(Slot slot) override;
  size_t drop_all() override;
  size_t expire_some(size_t budget, int64_t now_ms) override;

 private:
  template <typename Change>
  auto changing(Slot slot, Change change);
  // Null when there is no such key, or its time has come: then it is gone now.
  const SlotTable::Entry* live(Slot slot, std::string_view key, int64_t now_ms);
  uint64_t hash(std::string_view key) const { return hash_bytes(as_bytes(key), seed_); }
  size_t expire_step(Slot slot, size_t& budget, int64_t now_ms);

  uint64_t seed_;
  std::array<std::unique_ptr<SlotTable>, kSlotCount> tables_;
  // Sums over all tables.
  size_t size_ = 0;
  size_t expiring_ = 0;
  size_t bytes_ = 0;
  SlotSet with_expiring_;  // slots that have keys with a time to live
  // Where expire_some goes on.
  size_t expire_slot_ = 0;
  uint64_t expire_cursor_ = 0;
};

}  // namespace slotd
