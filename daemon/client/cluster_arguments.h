#pragma once

#include "daemon/client/command.h"

namespace slotd {

// Arguments of CLUSTER commands. Each answers the error itself when the result is false or empty.

[[nodiscard]] bool read_slot(const Call& call, size_t index, Slot& slot);
// The id of argument `index`; `error` is put before what was given, "Unknown node …".
[[nodiscard]] bool read_node_id(const Call& call, size_t index, NodeId& id,
                                std::string_view error = "Unknown node");
// Gives the command to the node, and the client the answer.
void apply_command(const Call& call, const AdminCommand& command);

// CLUSTER's subcommands, one file a concern.
namespace cluster_handlers {
void addslots(Call& call);
void addslotsrange(Call& call);
void delslots(Call& call);
void delslotsrange(Call& call);
void flushslots(Call& call);
void setslot(Call& call);
void countkeysinslot(Call& call);
void getkeysinslot(Call& call);
void keyslot(Call& call);
void help(Call& call);
}  // namespace cluster_handlers

}  // namespace slotd
