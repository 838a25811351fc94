#include "cli/plan/even_split.h"

#include "common/base/assert.h"

namespace slotd {

std::vector<SlotRange> even_split(size_t parts) {
  SLOT_ASSERT(parts >= 1 && parts <= kSlotCount);
  std::vector<SlotRange> ranges;
  for (size_t i = 0; i < parts; ++i) {
    ranges.push_back({static_cast<Slot>(i * kSlotCount / parts),
                      static_cast<Slot>((i + 1) * kSlotCount / parts - 1)});
  }
  return ranges;
}

}  // namespace slotd
