#pragma once

#include "common/base/bytes.h"
#include "common/base/result.h"
#include "common/cluster/output.h"

namespace slotd {

// The state file's bytes: "slotd-state 1\n", payload length and CRC-32C of the payload (32 bits
// each, little-endian), then bus.proto's State. README.md of this folder is the specification.
Bytes encode_state(const PersistentState& state);

// Any file that is cut short, longer, changed in one bit or of another format is an error that says
// so; it never becomes a different state.
Result<PersistentState> decode_state(ByteView bytes);

}  // namespace slotd
