#pragma once

#include <vector>

#include "common/slot/slot.h"

namespace slotd {

// All slots in `parts` runs, in order, whose lengths differ by at most one. parts: 1 … 16384.
std::vector<SlotRange> even_split(size_t parts);

}  // namespace slotd
