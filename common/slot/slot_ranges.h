#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/slot/slot_set.h"

namespace slotd {

// Slot sets as people write them: "0-5460,7000". No blanks, decimal, at least one item. Refused,
// with the reason and the position (counted from 1): what is no number, a slot above 16383, a range
// that runs backwards, and a slot named twice.
Result<SlotSet> parse_slot_ranges(std::string_view text);

// The shortest such text; an empty set gives "".
std::string format_slot_ranges(const SlotSet& slots);

}  // namespace slotd
