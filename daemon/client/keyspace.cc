#include "daemon/client/keyspace.h"

namespace slotd {

void Keyspace::put(Slot slot, std::string_view key, std::string_view value, ExpireAt expire_at) {
  store_.put(slot, key, value, expire_at);
  touch(key);
}

bool Keyspace::erase(Slot slot, std::string_view key, int64_t now_ms) {
  if (!store_.erase(slot, key, now_ms)) return false;
  touch(key);
  return true;
}

bool Keyspace::set_expiry(Slot slot, std::string_view key, ExpireAt expire_at, int64_t now_ms) {
  if (!store_.set_expiry(slot, key, expire_at, now_ms)) return false;
  touch(key);
  return true;
}

size_t Keyspace::drop(Slot slot) {
  for (const auto& [key, watchers] : watched_) {
    if (key_slot(key) == slot) touch(key);
  }
  return store_.drop(slot);
}

size_t Keyspace::drop_all() {
  for (const auto& [key, watchers] : watched_) touch(key);
  return store_.drop_all();
}

void Keyspace::watch(std::string_view key, const Dirty& dirty) {
  watched_[std::string(key)].push_back(dirty);
}

void Keyspace::unwatch(std::string_view key, const Dirty& dirty) {
  auto found = watched_.find(key);
  if (found == watched_.end()) return;
  std::erase(found->second, dirty);
  if (found->second.empty()) watched_.erase(found);
}

void Keyspace::touch(std::string_view key) {
  if (watched_.empty()) return;
  auto found = watched_.find(key);
  if (found == watched_.end()) return;
  for (const Dirty& dirty : found->second) *dirty = true;
}

}  // namespace slotd
