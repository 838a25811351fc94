#pragma once

#include "common/base/bytes.h"
#include "common/base/result.h"
#include "common/cluster/message.h"

namespace slotd {

// A message as one frame.
Bytes encode_frame(const Message& message);

// The payload of a frame as a message that handlers can rely on: ids have their length, enums their
// values, addresses are printable, lists are within limits, slot sets decode. Anything else is an
// error that says what was wrong.
Result<Message> decode_message(MessageKind kind, ByteView payload);

}  // namespace slotd
