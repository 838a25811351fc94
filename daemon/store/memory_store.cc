#include "daemon/store/memory_store.h"

namespace slotd {

// Runs `change` on the slot's table and keeps the sums.
template <typename Change>
auto MemoryStore::changing(Slot slot, Change change) {
  std::unique_ptr<SlotTable>& table = tables_[slot];
  size_ -= table->count();
  expiring_ -= table->expiring();
  bytes_ -= table->memory_bytes();
  auto result = change(*table);
  size_ += table->count();
  expiring_ += table->expiring();
  bytes_ += table->memory_bytes();
  if (table->expiring() > 0) {
    with_expiring_.insert(slot);
  } else {
    with_expiring_.erase(slot);
  }
  if (table->count() == 0) {
    bytes_ -= table->memory_bytes();
    table.reset();
  }
  return result;
}

const SlotTable::Entry* MemoryStore::live(Slot slot, std::string_view key, int64_t now_ms) {
  if (!tables_[slot]) return nullptr;
  const SlotTable::Entry* entry = tables_[slot]->find(key, hash(key));
  if (entry == nullptr || !entry->expired(now_ms)) return entry;
  changing(slot, [&](SlotTable& table) { return table.erase(key, hash(key)); });
  return nullptr;
}

std::optional<ValueView> MemoryStore::get(Slot slot, std::string_view key, int64_t now_ms) {
  const SlotTable::Entry* entry = live(slot, key, now_ms);
  if (entry == nullptr) return std::nullopt;
  return ValueView{entry->value(), entry->expire_at};
}

bool MemoryStore::contains(Slot slot, std::string_view key, int64_t now_ms) {
  return live(slot, key, now_ms) != nullptr;
}

void MemoryStore::put(Slot slot, std::string_view key, std::string_view value, ExpireAt expire_at) {
  if (!tables_[slot]) {
    tables_[slot] = std::make_unique<SlotTable>(seed_);
    bytes_ += tables_[slot]->memory_bytes();
  }
  changing(slot, [&](SlotTable& table) {
    table.put(key, hash(key), value, expire_at);
    return true;
  });
}

bool MemoryStore::erase(Slot slot, std::string_view key, int64_t now_ms) {
  if (live(slot, key, now_ms) == nullptr) return false;
  return changing(slot, [&](SlotTable& table) { return table.erase(key, hash(key)); });
}

bool MemoryStore::set_expiry(Slot slot, std::string_view key, ExpireAt expire_at, int64_t now_ms) {
  if (live(slot, key, now_ms) == nullptr) return false;
  return changing(slot,
                  [&](SlotTable& table) { return table.set_expiry(key, hash(key), expire_at); });
}

size_t MemoryStore::count(Slot slot) const {
  return tables_[slot] ? tables_[slot]->count() : 0;
}

size_t MemoryStore::memory_bytes() const {
  return sizeof(MemoryStore) + bytes_;
}

std::vector<std::string> MemoryStore::list(Slot slot, size_t limit, int64_t now_ms) {
  std::vector<std::string> keys;
  uint64_t cursor = 0;
  if (!tables_[slot] || limit == 0) return keys;
  do {
    cursor = tables_[slot]->walk(cursor, [&](const SlotTable::Entry& entry) {
      if (keys.size() < limit && !entry.expired(now_ms)) keys.emplace_back(entry.key());
    });
  } while (cursor != 0 && keys.size() < limit);
  return keys;
}

uint64_t MemoryStore::walk(Slot slot, uint64_t cursor, size_t about, int64_t now_ms,
                           const Visit& visit) {
  if (!tables_[slot]) return 0;
  size_t visited = 0;
  size_t empty_steps = about * 10;  // a sparse table must not make one step long
  do {
    cursor = tables_[slot]->walk(cursor, [&](const SlotTable::Entry& entry) {
      ++visited;
      if (!entry.expired(now_ms)) visit(entry.key(), {entry.value(), entry.expire_at});
    });
  } while (cursor != 0 && visited < about && empty_steps-- > 0);
  return cursor;
}

size_t MemoryStore::drop(Slot slot) {
  if (!tables_[slot]) return 0;
  size_t count = tables_[slot]->count();
  size_ -= count;
  expiring_ -= tables_[slot]->expiring();
  bytes_ -= tables_[slot]->memory_bytes();
  with_expiring_.erase(slot);
  tables_[slot].reset();
  return count;
}

size_t MemoryStore::drop_all() {
  size_t count = size_;
  for (size_t slot = 0; slot < kSlotCount; ++slot) drop(static_cast<Slot>(slot));
  return count;
}

size_t MemoryStore::expire_some(size_t budget, int64_t now_ms) {
  size_t gone = 0;
  size_t first = kSlotCount;
  while (budget > 0 && expiring_ > 0) {
    size_t slot = with_expiring_.next(expire_slot_);
    if (slot == kSlotCount) slot = with_expiring_.next(0);
    if (slot != expire_slot_) expire_cursor_ = 0;
    // Round the slots once at most: keys that are not due yet must not keep us here.
    if (expire_cursor_ == 0 && slot == first) break;
    if (first == kSlotCount) first = slot;
    expire_slot_ = slot;
    gone += expire_step(static_cast<Slot>(slot), budget, now_ms);
    if (expire_cursor_ == 0) expire_slot_ = (slot + 1) % kSlotCount;
  }
  return gone;
}

// One place of the table: looks at its keys and removes those that are due.
size_t MemoryStore::expire_step(Slot slot, size_t& budget, int64_t now_ms) {
  std::vector<std::string> due;
  expire_cursor_ = tables_[slot]->walk(expire_cursor_, [&](const SlotTable::Entry& entry) {
    if (budget == 0) return;
    --budget;
    if (entry.expired(now_ms)) due.emplace_back(entry.key());
  });
  if (budget > 0) --budget;  // an empty place costs too
  for (const std::string& key : due) {
    changing(slot, [&](SlotTable& table) { return table.erase(key, hash(key)); });
  }
  if (!tables_[slot]) expire_cursor_ = 0;
  return due.size();
}

}  // namespace slotd
