#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "common/base/bytes.h"
#include "common/base/hash.h"
#include "common/base/limits.h"

namespace slotd {

// 20 random bytes, written as 40 lower-case hex digits. The tag keeps kinds of id apart.
template <typename Tag>
struct Id {
  std::array<uint8_t, kNodeIdBytes> bytes{};

  bool is_zero() const { return *this == Id{}; }
  std::string hex() const { return to_hex(bytes); }
  // The first eight digits, for logs and tables.
  std::string short_hex() const { return hex().substr(0, 8); }
  uint64_t hash(uint64_t seed = 0) const { return hash_bytes(bytes, seed); }

  // False unless `text` is exactly 40 hex digits.
  static bool parse(std::string_view text, Id& out) { return from_hex(text, out.bytes); }

  // As memcmp orders them; in words, for ids are what every lookup compares.
  friend std::strong_ordering operator<=>(const Id& a, const Id& b) {
    static_assert(kNodeIdBytes == 20);
    if (auto order = a.word(0) <=> b.word(0); order != 0) return order;
    if (auto order = a.word(8) <=> b.word(8); order != 0) return order;
    return a.word(12) <=> b.word(12);
  }
  friend bool operator==(const Id&, const Id&) = default;

 private:
  uint64_t word(size_t at) const { return load_be64(bytes.data() + at); }
};

using NodeId = Id<struct NodeIdTag>;
using ClusterId = Id<struct ClusterIdTag>;

// A counter that only goes up, of one kind.
template <typename Tag>
struct Counter {
  uint64_t value = 0;

  Counter next() const { return {value + 1}; }
  friend auto operator<=>(const Counter&, const Counter&) = default;
};

// The epoch under which a node claims its slots; of two claims the higher wins.
using ConfigEpoch = Counter<struct ConfigEpochTag>;
// The highest epoch that a node has seen anywhere.
using CurrentEpoch = Counter<struct CurrentEpochTag>;
// Counts the changes of one node's record; its author alone raises it.
using Version = Counter<struct VersionTag>;
// How often a node id was met again after a removal. A removal covers its generation for good.
using Generation = Counter<struct GenerationTag>;

}  // namespace slotd

template <typename Tag>
struct std::hash<slotd::Id<Tag>> {
  size_t operator()(const slotd::Id<Tag>& id) const { return id.hash(); }
};
