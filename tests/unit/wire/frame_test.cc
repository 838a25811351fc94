#include "common/wire/frame.h"

#include <catch2/catch.hpp>

#include "common/base/rng.h"

using namespace slotd;

namespace {

Bytes frames_in_a_row(size_t count) {
  Bytes stream;
  for (size_t i = 0; i < count; ++i) {
    Bytes payload(i * 7, static_cast<uint8_t>(i));
    Bytes frame = make_frame(static_cast<MessageKind>(1 + i % 7), payload);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  return stream;
}

void check_frame(const Frame& frame, size_t number) {
  REQUIRE(frame.kind == static_cast<MessageKind>(1 + number % 7));
  REQUIRE(frame.payload.size() == number * 7);
  REQUIRE(frame.frame_bytes == kFrameHeaderBytes + number * 7);
  for (uint8_t byte : frame.payload) REQUIRE(byte == number);
}

Result<std::optional<Frame>> read(const Bytes& bytes) {
  FrameReader reader;
  reader.push(bytes);
  return reader.next();
}

}  // namespace

TEST_CASE("frames are found byte by byte") {
  FrameReader reader;
  size_t found = 0;
  for (uint8_t byte : frames_in_a_row(20)) {
    reader.push({&byte, 1});
    Result<std::optional<Frame>> frame = reader.next();
    REQUIRE(frame.ok());
    if (frame->has_value()) check_frame(**frame, found++);
  }
  CHECK(found == 20);
  CHECK(reader.buffered() == 0);
}

TEST_CASE("frames are found in pieces of any size") {
  Rng rng(1);
  Bytes stream = frames_in_a_row(200);
  FrameReader reader;
  size_t found = 0;
  for (size_t at = 0; at < stream.size();) {
    size_t piece = std::min<size_t>(stream.size() - at, 1 + rng.below(2000));
    reader.push(ByteView(stream).subspan(at, piece));
    at += piece;
    for (auto frame = reader.next(); frame.ok() && frame->has_value(); frame = reader.next()) {
      check_frame(**frame, found++);
    }
  }
  CHECK(found == 200);
}

TEST_CASE("a stream of another protocol is told apart after two bytes") {
  for (const char* text : {"PI", "*1\r\n", "GET / HTTP/1.1\r\n", "sx", "xd"}) {
    std::string_view view(text);
    CHECK_FALSE(read(Bytes(view.begin(), view.end())).ok());
  }
  CHECK(read(Bytes{}).ok());
  CHECK(read(Bytes{'s'}).ok());
  CHECK(read(Bytes{'s', 'd'}).ok());
}

TEST_CASE("a bad header is refused, with the reason") {
  Bytes frame = make_frame(MessageKind::Probe, Bytes(5));
  Bytes other_format = frame;
  other_format[2] = kFrameFormat + 1;
  CHECK_THAT(read(other_format).error().message, Catch::Contains("format 2"));
  for (uint8_t kind : {uint8_t{0}, uint8_t{kMessageKinds}, uint8_t{255}}) {
    Bytes other_kind = frame;
    other_kind[3] = kind;
    CHECK_THAT(read(other_kind).error().message, Catch::Contains("unknown kind"));
  }
}

TEST_CASE("a frame of the limit is read and one byte more is refused before it is buffered") {
  Bytes largest = make_frame(MessageKind::Probe, Bytes(kMaxFrameBytes - kFrameHeaderBytes));
  Result<std::optional<Frame>> frame = read(largest);
  REQUIRE(frame.ok());
  Bytes header(largest.begin(), largest.begin() + kFrameHeaderBytes);
  store_le32(&header[4], kMaxFrameBytes - kFrameHeaderBytes + 1);
  CHECK(read(header).error().code == ErrorCode::TooLarge);
  store_le32(&header[4], 0xffffffffu);
  CHECK(read(header).error().code == ErrorCode::TooLarge);
}

TEST_CASE("random bytes never crash the reader") {
  Rng rng(2);
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes = frames_in_a_row(3);
    for (uint64_t i = rng.below(4); i > 0; --i) {
      bytes[rng.below(bytes.size())] = static_cast<uint8_t>(rng.next());
    }
    FrameReader reader;
    reader.push(bytes);
    for (auto frame = reader.next(); frame.ok() && frame->has_value(); frame = reader.next()) {
      REQUIRE((*frame)->frame_bytes <= bytes.size());
    }
  }
}
