#include "daemon/store/memory_store.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/rng.h"

using namespace slotd;

namespace {

// The dumb twin: what the store promises, without any of its means.
struct Twin {
  struct Item {
    std::string value;
    ExpireAt expire_at;
  };
  std::map<std::pair<Slot, std::string>, Item> items;

  const Item* live(Slot slot, const std::string& key, int64_t now) {
    auto found = items.find({slot, key});
    if (found == items.end()) return nullptr;
    if (found->second.expire_at != 0 && found->second.expire_at <= now) {
      items.erase(found);
      return nullptr;
    }
    return &found->second;
  }
};

std::set<std::string> walk_all(SlotStore& store, Slot slot, size_t about) {
  std::set<std::string> keys;
  uint64_t cursor = 0;
  do {
    cursor = store.walk(slot, cursor, about, 0,
                        [&](std::string_view key, const ValueView&) { keys.emplace(key); });
  } while (cursor != 0);
  return keys;
}

}  // namespace

TEST_CASE("the store agrees with a map under random commands", "[store]") {
  Rng rng(20);
  MemoryStore store(rng.next());
  Twin twin;
  int64_t now = 1000;
  for (int round = 0; round < 60000; ++round) {
    Slot slot = static_cast<Slot>(rng.below(3) * 8000);
    // The key space breathes, so that tables grow and shrink.
    std::string key = "k" + std::to_string(rng.below(round / 10000 % 2 == 0 ? 3000 : 30));
    switch (rng.below(8)) {
      case 0:
      case 1:
      case 2: {
        std::string value(rng.below(20), 'v');
        ExpireAt at = rng.one_in(3) ? now + rng.between(1, 400) : 0;
        store.put(slot, key, value, at);
        twin.items[{slot, key}] = {value, at};
        break;
      }
      case 3:
      case 4:
        CHECK(store.erase(slot, key, now) == (twin.live(slot, key, now) != nullptr));
        twin.items.erase({slot, key});
        break;
      case 5: {
        ExpireAt at = rng.one_in(2) ? 0 : now + rng.between(1, 400);
        bool there = twin.live(slot, key, now) != nullptr;
        CHECK(store.set_expiry(slot, key, at, now) == there);
        if (there) twin.items[{slot, key}].expire_at = at;
        break;
      }
      default: {
        auto item = twin.live(slot, key, now);
        auto got = store.get(slot, key, now);
        REQUIRE(got.has_value() == (item != nullptr));
        if (item != nullptr) CHECK(got->value == item->value);
        if (item != nullptr) CHECK(got->expire_at == item->expire_at);
      }
    }
    now += rng.between(0, 1);
    if (rng.one_in(50)) store.expire_some(rng.below(40), now);
    if (rng.one_in(5000)) {
      store.drop(slot);
      std::erase_if(twin.items, [&](const auto& item) { return item.first.first == slot; });
    }
  }
  while (store.expire_some(1000, now) > 0) {
  }
  std::erase_if(twin.items, [&](const auto& item) {
    return item.second.expire_at != 0 && item.second.expire_at <= now;
  });
  CHECK(store.size() == twin.items.size());
  for (Slot slot : std::initializer_list<Slot>{0, 8000, 16000}) {
    std::set<std::string> expected;
    for (const auto& [name, item] : twin.items) {
      if (name.first == slot) expected.insert(name.second);
    }
    CHECK(store.count(slot) == expected.size());
    CHECK(walk_all(store, slot, 7) == expected);
    auto listed = store.list(slot, SIZE_MAX, now);
    CHECK(std::set<std::string>(listed.begin(), listed.end()) == expected);
  }
}

TEST_CASE("a walk sees every key that stays, whatever comes and goes", "[store]") {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    MemoryStore store(rng.next());
    std::set<std::string> stays;
    for (uint64_t i = 0, n = 1 + rng.below(300); i < n; ++i) {
      stays.insert("stay" + std::to_string(i));
      store.put(5, "stay" + std::to_string(i), "", 0);
    }
    for (uint64_t i = 0; i < 500; ++i) store.put(5, "go" + std::to_string(i), "", 0);
    std::set<std::string> seen;
    uint64_t cursor = 0;
    bool grow = rng.one_in(2);
    do {
      cursor = store.walk(5, cursor, 1 + rng.below(5), 0,
                          [&](std::string_view key, const ValueView&) { seen.emplace(key); });
      for (int i = 0; i < 40; ++i) {
        std::string key = "go" + std::to_string(rng.below(4000));
        if (grow) {
          store.put(5, key, "", 0);
        } else {
          store.erase(5, key, 0);
        }
      }
      if (rng.one_in(20)) grow = !grow;
    } while (cursor != 0);
    CHECK(std::includes(seen.begin(), seen.end(), stays.begin(), stays.end()));
  }
}

TEST_CASE("an empty store is small, and empties to nothing", "[store]") {
  MemoryStore store(1);
  size_t empty = store.memory_bytes();
  CHECK(empty < kSlotCount * sizeof(void*) + 4096);
  for (int i = 0; i < 1000; ++i) store.put(static_cast<Slot>(i), "key", "value", i % 2);
  CHECK(store.size() == 1000);
  CHECK(store.expiring() == 500);
  CHECK(store.memory_bytes() > empty);
  for (int i = 0; i < 1000; ++i) store.erase(static_cast<Slot>(i), "key", 0);
  CHECK(store.memory_bytes() == empty);
  CHECK(store.expiring() == 0);
}

TEST_CASE("a value may come out of the store itself", "[store]") {
  MemoryStore store(1);
  store.put(1, "a", "value", 0);
  store.put(1, "a", store.get(1, "a", 0)->value.substr(1), 0);
  CHECK(store.get(1, "a", 0)->value == "alue");
}

TEST_CASE("expiry looks at no more keys than it may", "[store]") {
  MemoryStore store(1);
  for (int i = 0; i < 1000; ++i) store.put(9, "k" + std::to_string(i), "", 10);
  CHECK(store.expire_some(50, 20) <= 50);
  size_t rounds = 0;
  while (store.size() > 0 && ++rounds < 1000) store.expire_some(50, 20);
  CHECK(store.size() == 0);
}
