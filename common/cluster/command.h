#pragma once

#include <string>
#include <variant>

#include "common/cluster/ids.h"
#include "common/slot/slot_set.h"

namespace slotd {

// What an operator orders, parsed once at the client port. Applied by ClusterState::apply.

struct MeetCommand {
  std::string ip;  // literal
  uint16_t port;
  uint16_t bus_port;
};
struct ForgetCommand {
  NodeId node;
};
struct AddSlotsCommand {
  SlotSet slots;
};
struct DelSlotsCommand {
  SlotSet slots;
};
struct FlushSlotsCommand {
  bool holds_keys;  // refused while this node holds any key
};
struct SetSlotMigratingCommand {
  Slot slot;
  NodeId target;
};
struct SetSlotImportingCommand {
  Slot slot;
  NodeId source;
};
struct SetSlotStableCommand {
  Slot slot;
};
struct SetSlotNodeCommand {
  Slot slot;
  NodeId owner;
  bool holds_keys;  // this node still holds keys of the slot
};
struct SetConfigEpochCommand {
  ConfigEpoch epoch;
};
struct BumpEpochCommand {};
struct ResetCommand {
  bool hard;        // a new node id too
  bool holds_keys;  // refused while this node holds any key
};
struct SaveConfigCommand {};

using AdminCommand =
    std::variant<MeetCommand, ForgetCommand, AddSlotsCommand, DelSlotsCommand, FlushSlotsCommand,
                 SetSlotMigratingCommand, SetSlotImportingCommand, SetSlotStableCommand,
                 SetSlotNodeCommand, SetConfigEpochCommand, BumpEpochCommand, ResetCommand,
                 SaveConfigCommand>;

}  // namespace slotd
