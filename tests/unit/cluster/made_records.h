#pragma once

#include <memory>

#include "common/base/rng.h"
#include "common/cluster/output.h"

namespace slotd::test {

// The same id for the same number; ids do not follow the order of the numbers.
inline NodeId made_id(uint64_t number) {
  Rng rng(number + 1);
  NodeId id;
  for (uint8_t& byte : id.bytes) byte = static_cast<uint8_t>(rng.next());
  return id;
}

inline ClusterId made_cluster(uint64_t number) {
  return {made_id(number).bytes};
}

// Some slots of every size: none, a few, ranges, most.
inline SlotSet made_slots(Rng& rng) {
  SlotSet slots;
  uint64_t pieces = rng.below(6);
  for (uint64_t i = 0; i < pieces; ++i) {
    Slot first = static_cast<Slot>(rng.below(kSlotCount));
    int64_t end = std::min<int64_t>(kSlotCount - 1, first + rng.between(0, 3000));
    slots.insert(SlotRange{first, static_cast<Slot>(end)});
  }
  return slots;
}

inline NodeRecord made_record(uint64_t number, Rng& rng) {
  NodeRecord record;
  record.id = made_id(number);
  record.generation = {rng.below(3)};
  record.version = {rng.below(1000)};
  record.config_epoch = {rng.below(20)};
  record.address = {"127.0.0.1", static_cast<uint16_t>(rng.below(65536)),
                    static_cast<uint16_t>(rng.below(65536)), rng.one_in(2) ? "" : "node-1.example"};
  record.slots = MySlots::encode(made_slots(rng));
  if (rng.one_in(3)) {
    record.role = NodeRole::Replica;
    record.master = made_id(number + 1);
  }
  for (uint64_t i = rng.below(4); i > 0; --i) {
    record.after.push_back({made_id(rng.below(50)), {rng.below(1000)}});
  }
  return record;
}

inline NodeRecordPtr made_record_ptr(uint64_t number, Rng& rng) {
  return std::make_shared<const NodeRecord>(made_record(number, rng));
}

inline PersistentState made_state(Rng& rng) {
  PersistentState state;
  state.cluster = made_cluster(7);
  state.self = made_record(0, rng);
  state.current_epoch = {rng.next()};
  state.removed = rng.one_in(2);
  for (uint64_t i = 1; i <= 3; ++i) state.members.push_back(made_record(i, rng));
  state.removals = {{made_id(10), {1}}, {made_id(11), {2}}};
  state.migrating[42] = made_id(1);
  state.importing[16383] = made_id(2);
  return state;
}

template <typename T>
void shuffle(std::vector<T>& items, Rng& rng) {
  for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
}

}  // namespace slotd::test
