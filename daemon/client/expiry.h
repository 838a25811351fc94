#pragma once

#include <cstdint>

#include "daemon/client/command.h"

namespace slotd {

// How a time to live is given.
struct TimeUnit {
  bool seconds;   // else milliseconds
  bool absolute;  // since the Unix epoch, else from now
};

// The moment in milliseconds since the Unix epoch; false when it is beyond 64 bits.
[[nodiscard]] bool to_moment(int64_t amount, TimeUnit unit, int64_t now_ms, int64_t& moment);

// Matches EX, PX, EXAT and PXAT.
[[nodiscard]] bool parse_time_unit(std::string_view word, TimeUnit& unit);

// The moment that argument `index` gives, which must be above zero; false when the error was
// answered.
[[nodiscard]] bool read_moment(const Call& call, size_t index, TimeUnit unit, int64_t& moment);

}  // namespace slotd
