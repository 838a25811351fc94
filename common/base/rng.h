#pragma once

#include <cstdint>

#include "common/base/assert.h"
#include "common/base/hash.h"

namespace slotd {

// SplitMix64: one 64-bit word of state, the whole stream a function of the seed. For jitter, ids
// and simulated faults; not for secrets.
class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t value = mix64(state_);
    state_ += 0x9e3779b97f4a7c15u;
    return value;
  }

  // Uniform in [0, bound), bound > 0. The bias of the modulo is below bound / 2^64.
  uint64_t below(uint64_t bound) {
    SLOT_ASSERT(bound > 0);
    return next() % bound;
  }

  // Uniform in [low, high], both included.
  int64_t between(int64_t low, int64_t high) {
    SLOT_ASSERT(low <= high);
    return low + static_cast<int64_t>(below(static_cast<uint64_t>(high - low) + 1));
  }

  bool one_in(uint64_t n) { return below(n) == 0; }

  // A stream of its own for a part, so that what one part draws never shifts another's.
  Rng split() { return Rng(next()); }

 private:
  uint64_t state_;
};

}  // namespace slotd
