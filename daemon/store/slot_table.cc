#include "daemon/store/slot_table.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "common/base/assert.h"

namespace slotd {
namespace {

constexpr size_t kSmallest = 4;        // buckets
constexpr size_t kBucketsPerMove = 4;  // entries that are moved with each change, about
constexpr size_t kEmptyPerMove = 64;   // empty buckets that one change steps over
constexpr size_t kSparse = 8;          // buckets an entry before the table shrinks

uint64_t reverse_bits(uint64_t value) {
  value = (value >> 1 & 0x5555555555555555u) | (value & 0x5555555555555555u) << 1;
  value = (value >> 2 & 0x3333333333333333u) | (value & 0x3333333333333333u) << 2;
  value = (value >> 4 & 0x0f0f0f0f0f0f0f0fu) | (value & 0x0f0f0f0f0f0f0f0fu) << 4;
  return __builtin_bswap64(value);
}

SlotTable::Entry* make_entry(std::string_view key, std::string_view value, ExpireAt expire_at) {
  void* memory = std::malloc(sizeof(SlotTable::Entry) + key.size() + value.size());
  SLOT_ASSERT(memory != nullptr);
  auto* entry = new (memory) SlotTable::Entry{nullptr, expire_at, static_cast<uint32_t>(key.size()),
                                              static_cast<uint32_t>(value.size())};
  if (!key.empty()) std::memcpy(entry->bytes(), key.data(), key.size());
  if (!value.empty()) std::memcpy(entry->bytes() + key.size(), value.data(), value.size());
  return entry;
}

}  // namespace

SlotTable::~SlotTable() {
  for (Array* array : {&old_, &table_}) {
    for (size_t i = 0; i < array->size(); ++i) {
      for (Entry* entry = array->buckets[i]; entry != nullptr;) {
        std::free(std::exchange(entry, entry->next));
      }
    }
  }
}

size_t SlotTable::memory_bytes() const {
  return sizeof(SlotTable) + entry_bytes_ + (old_.size() + table_.size()) * sizeof(Entry*);
}

SlotTable::Array SlotTable::make_array(size_t size) {
  return {std::make_unique<Entry*[]>(size), size - 1};
}

uint64_t SlotTable::next_cursor(uint64_t cursor, size_t mask) {
  cursor |= ~uint64_t{mask};
  return reverse_bits(reverse_bits(cursor) + 1);
}

// The pointer that points at the entry, for unlinking and replacing; null when there is none.
SlotTable::Entry** SlotTable::slot_of(std::string_view key, uint64_t hash) const {
  for (const Array* array : {&table_, &old_}) {
    if (!array->buckets) continue;
    Entry** link = &array->buckets[hash & array->mask];
    for (; *link != nullptr; link = &(*link)->next) {
      if ((*link)->key() == key) return link;
    }
  }
  return nullptr;
}

const SlotTable::Entry* SlotTable::find(std::string_view key, uint64_t hash) const {
  Entry** link = slot_of(key, hash);
  return link == nullptr ? nullptr : *link;
}

void SlotTable::put(std::string_view key, uint64_t hash, std::string_view value,
                    ExpireAt expire_at) {
  Entry* fresh = make_entry(key, value, expire_at);
  entry_bytes_ += fresh->size();
  ++count_;
  if (expire_at != 0) ++expiring_;
  if (Entry** link = slot_of(key, hash)) {
    Entry* replaced = *link;
    fresh->next = replaced->next;
    *link = fresh;
    free_entry(replaced);
    return;
  }
  if (!table_.buckets) table_ = make_array(kSmallest);
  fresh->next = table_.at(hash);
  table_.at(hash) = fresh;
  resize_if_needed();
}

bool SlotTable::erase(std::string_view key, uint64_t hash) {
  Entry** link = slot_of(key, hash);
  if (link == nullptr) return false;
  Entry* entry = *link;
  *link = entry->next;
  free_entry(entry);
  resize_if_needed();
  return true;
}

bool SlotTable::set_expiry(std::string_view key, uint64_t hash, ExpireAt expire_at) {
  Entry** link = slot_of(key, hash);
  if (link == nullptr) return false;
  expiring_ += size_t{expire_at != 0};
  expiring_ -= size_t{(*link)->expire_at != 0};
  (*link)->expire_at = expire_at;
  return true;
}

void SlotTable::free_entry(Entry* entry) {
  entry_bytes_ -= entry->size();
  --count_;
  if (entry->expire_at != 0) --expiring_;
  std::free(entry);
}

void SlotTable::resize_if_needed() {
  if (old_.buckets) return move_some();
  size_t size = table_.size();
  bool full = count_ > size;
  bool sparse = size > kSmallest && count_ * kSparse < size;
  if (!full && !sparse) return;
  old_ = std::move(table_);
  table_ = make_array(full ? size * 2 : std::bit_ceil(std::max(count_ * 2, kSmallest)));
  moved_ = 0;
  move_some();
}

void SlotTable::move_some() {
  size_t empty = kEmptyPerMove;
  for (size_t filled = kBucketsPerMove; filled > 0 && moved_ < old_.size(); ++moved_) {
    Entry*& bucket = old_.buckets[moved_];
    if (bucket == nullptr) {
      if (--empty == 0) return;
      continue;
    }
    --filled;
    while (bucket != nullptr) {
      Entry* entry = std::exchange(bucket, bucket->next);
      Entry*& home = table_.at(hash_bytes(as_bytes(entry->key()), seed_));
      entry->next = std::exchange(home, entry);
    }
  }
  if (moved_ == old_.size()) old_ = Array{};
}

}  // namespace slotd
