// CLUSTER subcommands about slots: who owns them, which are open, what lies in them.
#include "daemon/client/client_session.h"
#include "daemon/client/cluster_arguments.h"

namespace slotd {

bool read_slot(const Call& call, size_t index, Slot& slot) {
  int64_t number = 0;
  if (!call.integer(index, number, reply::kInvalidSlot)) return false;
  if (number < 0 || number >= static_cast<int64_t>(kSlotCount)) {
    call.reply.error(reply::kInvalidSlot);
    return false;
  }
  slot = static_cast<Slot>(number);
  return true;
}

bool read_node_id(const Call& call, size_t index, NodeId& id, std::string_view error) {
  if (NodeId::parse(call.args[index], id)) return true;
  call.reply.error(fmt::format("ERR {} {}", error, call.args[index]));
  return false;
}

void apply_command(const Call& call, const AdminCommand& command) {
  Result<void> done = call.context.node.apply(command, call.context.now());
  if (!done.ok()) return call.reply.error("ERR " + done.error().message);
  size_t before = call.session.output_bytes();
  call.reply.ok();
  call.session.promise(before);
}

namespace cluster_handlers {
namespace {

bool read_slots(const Call& call, SlotSet& slots) {
  for (size_t i = 2; i < call.size(); ++i) {
    Slot slot = 0;
    if (!read_slot(call, i, slot)) return false;
    if (slots.contains(slot)) {
      call.reply.error(fmt::format("ERR Slot {} specified multiple times", slot));
      return false;
    }
    slots.insert(slot);
  }
  return true;
}

bool read_slot_ranges(const Call& call, SlotSet& slots) {
  if (call.size() % 2 != 0) {
    call.reply.error(reply::wrong_arguments(to_lower(fmt::format("cluster|{}", call.args[1]))));
    return false;
  }
  for (size_t i = 2; i < call.size(); i += 2) {
    Slot first = 0;
    Slot last = 0;
    if (!read_slot(call, i, first) || !read_slot(call, i + 1, last)) return false;
    if (first > last) {
      call.reply.error(
          fmt::format("ERR start slot number {} is greater than end slot number {}", first, last));
      return false;
    }
    SlotSet range = SlotSet::of({first, last});
    if (slots.intersects(range)) {
      call.reply.error(
          fmt::format("ERR Slot {} specified multiple times", (slots & range).next(0)));
      return false;
    }
    slots |= range;
  }
  return true;
}

}  // namespace

void addslots(Call& call) {
  SlotSet slots;
  if (read_slots(call, slots)) apply_command(call, AddSlotsCommand{slots});
}

void addslotsrange(Call& call) {
  SlotSet slots;
  if (read_slot_ranges(call, slots)) apply_command(call, AddSlotsCommand{slots});
}

void delslots(Call& call) {
  SlotSet slots;
  if (read_slots(call, slots)) apply_command(call, DelSlotsCommand{slots});
}

void delslotsrange(Call& call) {
  SlotSet slots;
  if (read_slot_ranges(call, slots)) apply_command(call, DelSlotsCommand{slots});
}

void flushslots(Call& call) {
  apply_command(call, FlushSlotsCommand{call.store().size() > 0});
}

void setslot(Call& call) {
  Slot slot = 0;
  NodeId node;
  if (!read_slot(call, 2, slot)) return;
  std::string_view action = call.args[3];
  bool names_node = call.size() == 5;
  if (names_node && equals_ignoring_case(action, "MIGRATING")) {
    if (!read_node_id(call, 4, node, "I don't know about node")) return;
    return apply_command(call, SetSlotMigratingCommand{slot, node});
  }
  if (names_node && equals_ignoring_case(action, "IMPORTING")) {
    if (!read_node_id(call, 4, node, "I don't know about node")) return;
    return apply_command(call, SetSlotImportingCommand{slot, node});
  }
  if (names_node && equals_ignoring_case(action, "NODE")) {
    if (!read_node_id(call, 4, node)) return;
    return apply_command(call, SetSlotNodeCommand{slot, node, call.store().count(slot) > 0});
  }
  if (call.size() == 4 && equals_ignoring_case(action, "STABLE")) {
    return apply_command(call, SetSlotStableCommand{slot});
  }
  call.reply.error("ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP");
}

void countkeysinslot(Call& call) {
  int64_t slot = 0;
  if (!call.integer(2, slot)) return;
  if (slot < 0 || slot >= static_cast<int64_t>(kSlotCount)) {
    return call.reply.error("ERR Invalid slot");
  }
  call.reply.integer(static_cast<int64_t>(call.store().count(static_cast<Slot>(slot))));
}

void getkeysinslot(Call& call) {
  int64_t slot = 0;
  int64_t limit = 0;
  if (!call.integer(2, slot) || !call.integer(3, limit)) return;
  if (slot < 0 || slot >= static_cast<int64_t>(kSlotCount) || limit < 0) {
    return call.reply.error("ERR Invalid slot or number of keys");
  }
  auto keys = call.store().list(static_cast<Slot>(slot), static_cast<size_t>(limit), call.now_ms);
  call.reply.array(keys.size());
  for (const std::string& key : keys) call.reply.bulk(key);
}

void keyslot(Call& call) {
  call.reply.integer(key_slot(call.args[2]));
}

}  // namespace cluster_handlers
}  // namespace slotd
