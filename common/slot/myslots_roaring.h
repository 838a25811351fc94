#pragma once

#include <optional>

#include "common/base/bytes.h"
#include "common/slot/slot_set.h"

namespace slotd {

// CRoaring's portable format (RoaringFormatSpec), with runs optimised: what any language with a
// Roaring library can read. May be longer than the raw bitmap.
Bytes encode_roaring(const SlotSet& slots);

// Reads one container with key 0 that is an array or runs, ascending, complete and nothing behind
// it; runs that touch, and whatever could only be written in more than 2048 bytes, are refused.
// That is what encode_roaring writes, and the reader is a few lines that need not trust a byte: the
// installed library (0.2.66) has no check of what it deserialises. An array where runs would be
// shorter is read too, because not every language's library looks for runs.
std::optional<SlotSet> decode_roaring(ByteView bytes);

}  // namespace slotd
