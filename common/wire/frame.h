#pragma once

#include <optional>

#include "common/base/bytes.h"
#include "common/base/result.h"
#include "common/cluster/message.h"

namespace slotd {

// A frame on the bus: 's' 'd', format version, MessageKind, payload length (32 bits,
// little-endian), then the payload. README.md of this folder is the specification.
inline constexpr size_t kFrameHeaderBytes = 8;
inline constexpr uint8_t kFrameFormat = 1;

struct Frame {
  MessageKind kind;
  ByteView payload;   // valid until the next call to the reader
  size_t frame_bytes;  // header included
};

Bytes make_frame(MessageKind kind, ByteView payload);
// Of a frame that make_frame made.
inline MessageKind kind_of_frame(ByteView frame) { return static_cast<MessageKind>(frame[3]); }

// Cuts a byte stream into frames, without I/O. After an error the stream is beyond repair.
class FrameReader {
 public:
  void push(ByteView bytes);
  // The next whole frame, nothing if more bytes are needed, or what is wrong with the stream.
  Result<std::optional<Frame>> next();
  size_t buffered() const { return buffer_.size() - start_; }

 private:
  Bytes buffer_;
  size_t start_ = 0;  // of what was not yet returned
};

}  // namespace slotd
