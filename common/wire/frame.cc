#include "common/wire/frame.h"

namespace slotd {

Bytes make_frame(MessageKind kind, ByteView payload) {
  SLOT_ASSERT(payload.size() <= kMaxFrameBytes - kFrameHeaderBytes);
  Bytes frame(kFrameHeaderBytes + payload.size());
  frame[0] = 's';
  frame[1] = 'd';
  frame[2] = kFrameFormat;
  frame[3] = static_cast<uint8_t>(kind);
  store_le32(&frame[4], static_cast<uint32_t>(payload.size()));
  std::copy(payload.begin(), payload.end(), frame.begin() + kFrameHeaderBytes);
  return frame;
}

void FrameReader::push(ByteView bytes) {
  if (start_ == buffer_.size()) {
    buffer_.clear();
    start_ = 0;
  } else if (start_ > kMaxFrameBytes) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(start_));
    start_ = 0;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

Result<std::optional<Frame>> FrameReader::next() {
  const uint8_t* header = buffer_.data() + start_;
  size_t available = buffered();
  // Told apart as early as possible: whoever speaks another protocol may never send eight bytes.
  if (available >= 2 && (header[0] != 's' || header[1] != 'd')) {
    return make_error(ErrorCode::Corrupt, "not a slotd bus frame (starts with {})",
                      to_hex({header, std::min<size_t>(available, 4)}));
  }
  if (available < kFrameHeaderBytes) return std::optional<Frame>{};
  if (header[2] != kFrameFormat) {
    return make_error(ErrorCode::Corrupt, "bus frame of format {}, this node speaks {}", header[2],
                      kFrameFormat);
  }
  if (header[3] == 0 || header[3] >= kMessageKinds) {
    return make_error(ErrorCode::Corrupt, "bus frame of unknown kind {}", header[3]);
  }
  size_t length = load_le32(header + 4);
  if (length > kMaxFrameBytes - kFrameHeaderBytes) {
    return make_error(ErrorCode::TooLarge, "bus frame of {} bytes, the limit is {}",
                      length + kFrameHeaderBytes, kMaxFrameBytes);
  }
  if (available < kFrameHeaderBytes + length) return std::optional<Frame>{};
  Frame frame{static_cast<MessageKind>(header[3]), {header + kFrameHeaderBytes, length},
              kFrameHeaderBytes + length};
  start_ += frame.frame_bytes;
  return std::optional<Frame>{frame};
}

}  // namespace slotd
