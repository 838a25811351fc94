// The bus: first byte the message kind, or 0 for a raw stream of frames. A message that is accepted
// is written and read again without loss.
#include "common/wire/codec.h"
#include "common/wire/frame.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

namespace {

void check_message(MessageKind kind, ByteView payload) {
  Result<Message> message = decode_message(kind, payload);
  if (!message) {
    FUZZ_CHECK(!message.error().message.empty());
    return;
  }
  FUZZ_CHECK(kind_of(*message) == kind);
  Bytes frame = encode_frame(*message);
  FUZZ_CHECK(frame.size() <= kMaxFrameBytes);
  Result<Message> again = decode_message(kind, ByteView(frame).subspan(kFrameHeaderBytes));
  FUZZ_CHECK(again.ok());
  FUZZ_CHECK(encode_frame(*again) == frame);
}

void check_stream(ByteView bytes) {
  FrameReader reader;
  for (size_t at = 0; at < bytes.size();) {
    ByteView piece = bytes.subspan(at, std::min<size_t>(bytes.size() - at, 13));
    reader.push(piece);
    at += piece.size();
    while (true) {
      Result<std::optional<Frame>> frame = reader.next();
      if (!frame) return;
      if (!frame->has_value()) break;
      check_message((*frame)->kind, (*frame)->payload);
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  uint8_t kind = input.byte() % kMessageKinds;
  if (kind == 0) {
    check_stream(input.rest());
  } else {
    check_message(static_cast<MessageKind>(kind), input.rest());
  }
  return 0;
}
