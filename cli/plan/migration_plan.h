#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/cluster_client.h"

namespace slotd {

// Which slots go from whom to whom, found out and checked before anything is sent.
struct MigrationPlan {
  const NodeLine* target = nullptr;
  std::map<const NodeLine*, SlotSet> sources;  // what each gives
  SlotSet there_already;                       // owned by the target: nothing to do
  size_t count() const;
};

// `from` empty: whoever owns them. Refused: slots that nobody owns, or that another than `from`
// owns.
Result<MigrationPlan> plan_migration(const Topology& topology, const SlotSet& slots,
                                     const std::string& from, const std::string& to);

// Whether the plan fits what the nodes say of themselves: `target` and `sources` are their own
// lines, which alone show open slots. Refused: a slot that its source has lost meanwhile, and one
// that either side has open with somebody else, since that move may have left keys elsewhere.
Result<void> check_open_slots(const MigrationPlan& plan, const NodeLine& target,
                              const std::vector<NodeLine>& sources);

}  // namespace slotd
