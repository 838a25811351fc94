#pragma once

#include <cstdint>

namespace slotd {

// Names one connection of this node for its whole life. The core numbers what it dials from 1; the
// transport numbers what it accepts from kFirstInboundLink, so the two never meet.
using LinkId = uint64_t;
inline constexpr LinkId kFirstInboundLink = LinkId{1} << 63;

}  // namespace slotd
