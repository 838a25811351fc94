#pragma once

#include <cstdint>

#include "common/base/time.h"

namespace slotd {

// The only places in the project where the time is read.

// CLOCK_BOOTTIME: goes on while the machine sleeps, so that a slept node knows it was away.
Instant monotonic_now();
// Milliseconds since the Unix epoch; may jump.
int64_t wall_now_ms();

}  // namespace slotd
