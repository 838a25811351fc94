#pragma once

#include <functional>

#include "cli/plan/migration_plan.h"

namespace slotd {

struct MigrationProgress {
  size_t slots_done = 0;
  size_t slots_total = 0;
  size_t keys_moved = 0;
};

// Moves slots the way every Redis Cluster knows: IMPORTING on the target, MIGRATING on the source,
// MIGRATE key by key, SETSLOT NODE on target, source, and the other masters, in this order, so that
// a crash of anybody in between leaves each slot with one owner. Every step looks at what is there
// first, so the same call goes on where an earlier one was cut off.
Result<void> migrate_classic(ClusterClient& client, const Topology& topology,
                             const MigrationPlan& plan,
                             const std::function<void(const MigrationProgress&)>& on_progress);

}  // namespace slotd
