#pragma once

#include <string>

#include "cli/cluster_client.h"

namespace slotd {

// The 16384 slots as 32 rows of 64 cells, eight slots a cell: a letter (and with `colour` a
// background) for the master that owns most of the eight, a dot for none, and a capital where all
// eight are its. Below it, which letter is who. Letters repeat after 26 masters.
std::string slot_picture(const Topology& topology, bool colour);

}  // namespace slotd
