#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/node/slot_store.h"

namespace slotd {

// The store as commands change it: each change is told to the clients that WATCH the key. All
// changes go through here, those of the server's own making included.
class Keyspace {
 public:
  // Set once a watched key was changed.
  using Dirty = std::shared_ptr<bool>;

  explicit Keyspace(SlotStore& store) : store_(store) {}

  // To read; and to walk, count and list.
  SlotStore& store() { return store_; }

  void put(Slot slot, std::string_view key, std::string_view value, ExpireAt expire_at);
  bool erase(Slot slot, std::string_view key, int64_t now_ms);
  bool set_expiry(Slot slot, std::string_view key, ExpireAt expire_at, int64_t now_ms);
  size_t drop(Slot slot);
  size_t drop_all();

  void watch(std::string_view key, const Dirty& dirty);
  void unwatch(std::string_view key, const Dirty& dirty);

 private:
  void touch(std::string_view key);

  SlotStore& store_;
  std::map<std::string, std::vector<Dirty>, std::less<>> watched_;
};

}  // namespace slotd
