#pragma once

#include <optional>

#include "common/base/bytes.h"
#include "common/slot/slot_set.h"

namespace slotd {

// CRoaring's portable format (RoaringFormatSpec), with runs optimised: what any language with a
// Roaring library can read. May be longer than the raw bitmap.
Bytes encode_roaring(const SlotSet& slots);

// Reads what encode_roaring writes and nothing else. Slots fit into one container, and one of at
// most 2048 bytes is an array or runs, so the reader is a few lines that need not trust a byte: the
// installed library (0.2.66) has no check of what it deserialises.
std::optional<SlotSet> decode_roaring(ByteView bytes);

}  // namespace slotd
