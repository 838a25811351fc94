#pragma once

#include <optional>

#include "common/base/bytes.h"
#include "common/slot/slot_set.h"

namespace slotd {

// The "gaps" encoding of a slot set: numbers in Rice codes (Rice and Plaunt, 1971), of the form
// that suits the set.
//
//   byte 0   bit 0      form: 0 elements, 1 runs
//            bit 1      1: what follows is the complement of the set
//            bits 2-5   Rice parameter of gaps, 0 … 13
//   byte 1   (runs)     Rice parameter of run lengths, 0 … 13
//   then     bits, the lowest of each byte first; unused bits of the last byte are zero
//
// Elements: for each member, how many absent slots lie before it and after the one before. Runs:
// for each run that gap (less one after the first run, where it cannot be zero) and the run's
// length less one. A number n with parameter k is n >> k zeros, a one, then the low k bits of n,
// lowest first. There is no count: the end is where the bits left are zeros only.
//
// Scattered members have geometric gaps, for which Rice codes lie within 5 % of the entropy at
// every density; the complement serves dense sets. A range costs a handful of bytes. A code takes
// at most 15 bits for an element and 30 for a run where roaring takes 16 and 32 and a longer
// header, so among encodings this one or raw is always the shortest.

// The shortest of the forms. For the empty set only the header.
Bytes encode_gaps(const SlotSet& slots);
// Nothing when the bytes are no such encoding: a bad header, a slot beyond the last, bits left
// over.
std::optional<SlotSet> decode_gaps(ByteView bytes);

}  // namespace slotd
