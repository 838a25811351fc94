#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/slot/slot.h"

namespace slotd {

// Milliseconds since the Unix epoch; 0 means "never expires".
using ExpireAt = int64_t;

// Bytes that stay valid until the next call that changes the store.
struct ValueView {
  std::string_view value;
  ExpireAt expire_at = 0;
};

// The seam between ownership and data. All keys of one slot can be counted, listed, walked and
// dropped without a look at other slots. Values are byte strings. Callers pass the slot, which they
// know from routing, and the wall clock: a key whose time has come is absent to every call below,
// and may be removed by any of them. Not thread-safe: one event loop owns a store.
class SlotStore {
 public:
  virtual ~SlotStore() = default;

  virtual std::optional<ValueView> get(Slot slot, std::string_view key, int64_t now_ms) = 0;
  virtual bool contains(Slot slot, std::string_view key, int64_t now_ms) = 0;
  // Inserts or replaces.
  virtual void put(Slot slot, std::string_view key, std::string_view value, ExpireAt expire_at) = 0;
  // False when the key is absent.
  virtual bool erase(Slot slot, std::string_view key, int64_t now_ms) = 0;
  virtual bool set_expiry(Slot slot, std::string_view key, ExpireAt expire_at, int64_t now_ms) = 0;

  // Keys of one slot, and of all; keys that have expired but were not touched since may be counted.
  virtual size_t count(Slot slot) const = 0;
  virtual size_t size() const = 0;
  virtual size_t expiring() const = 0;      // keys with a time to live
  virtual size_t memory_bytes() const = 0;  // keys, values and the tables that hold them

  // Up to `limit` keys of the slot.
  virtual std::vector<std::string> list(Slot slot, size_t limit, int64_t now_ms) = 0;
  // One step of a walk through the slot: visits some entries and returns the next cursor, 0 at the
  // end. Each key that is there during the whole walk is visited at least once, whatever is
  // inserted or erased between steps.
  using Visit = std::function<void(std::string_view key, const ValueView& value)>;
  virtual uint64_t walk(Slot slot, uint64_t cursor, size_t about, int64_t now_ms,
                        const Visit& visit) = 0;

  // Removes all keys of the slot, or of every slot, and returns how many there were.
  virtual size_t drop(Slot slot) = 0;
  virtual size_t drop_all() = 0;

  // Removes keys whose time has come, looking at no more than `budget` keys; returns how many went.
  virtual size_t expire_some(size_t budget, int64_t now_ms) = 0;
};

}  // namespace slotd
