#pragma once

#include <chrono>

namespace slotd {

// A span of time, in microseconds.
using Duration = std::chrono::microseconds;

// A point on a clock that only goes forward. There is deliberately no now(): instants are handed in
// from the edge (daemon/uv/clock or the simulator), so that a run can be replayed.
struct MonotonicClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<MonotonicClock>;
  static constexpr bool is_steady = true;
};
using Instant = MonotonicClock::time_point;

using std::chrono::milliseconds;
using std::chrono::seconds;

inline int64_t to_ms(Duration duration) {
  return std::chrono::duration_cast<milliseconds>(duration).count();
}
inline int64_t to_ms(Instant instant) { return to_ms(instant.time_since_epoch()); }

}  // namespace slotd
