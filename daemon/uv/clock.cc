#include "daemon/uv/clock.h"

#include <ctime>

namespace slotd {
namespace {

Duration read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return seconds(time.tv_sec) + Duration(time.tv_nsec / 1000);
}

}  // namespace

Instant monotonic_now() { return Instant(read_clock(CLOCK_BOOTTIME)); }

int64_t wall_now_ms() { return to_ms(read_clock(CLOCK_REALTIME)); }

}  // namespace slotd
