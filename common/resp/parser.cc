#include "common/resp/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/resp/inline_words.h"
#include "common/resp/number.h"

namespace slotd {
namespace {

constexpr const char* kLongCount = "Protocol error: too big mbulk count string";
constexpr const char* kLongBulkLength = "Protocol error: too big bulk count string";

// Room that is reserved on the word of a stranger's count.
constexpr size_t kMaxReserve = 1024;

}  // namespace

ParseStatus RequestParser::parse(std::string_view input, const RequestLimits& limits) {
  if (state_ == State::Finished) start();
  if (state_ == State::Start) {
    if (input.empty()) return ParseStatus::NeedMore;
    if (input.front() != '*') return parse_inline(input);
    ParseStatus status = parse_count(input, limits);
    if (status != ParseStatus::Done || state_ == State::Finished) return status;
  }
  return parse_bulks(input, limits);
}

void RequestParser::start() {
  state_ = State::Start;
  position_ = scanned_ = 0;
  length_known_ = false;
  pieces_.clear();
  arguments_.clear();
}

ParseStatus RequestParser::fail(std::string text) {
  error_ = std::move(text);
  return ParseStatus::Error;
}

ParseStatus RequestParser::parse_inline(std::string_view input) {
  size_t end = input.find('\n', scanned_);
  if (end == std::string_view::npos ? input.size() > kMaxInlineBytes : end > kMaxInlineBytes) {
    return fail("Protocol error: too big inline request");
  }
  if (end == std::string_view::npos) {
    scanned_ = input.size();
    return ParseStatus::NeedMore;
  }
  std::string_view line = input.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<size_t> lengths;
  inline_bytes_.clear();
  if (!split_inline_words(line, inline_bytes_, lengths)) {
    return fail("Protocol error: unbalanced quotes in request");
  }
  size_t offset = 0;
  for (size_t length : lengths) {
    arguments_.push_back(std::string_view(inline_bytes_).substr(offset, length));
    offset += length;
  }
  position_ = end + 1;
  state_ = State::Finished;
  return ParseStatus::Done;
}

// Only '\r' is looked for, and the byte behind it skipped, as Redis does.
ParseStatus RequestParser::read_line(std::string_view input, std::string_view& line,
                                     const char* too_long) {
  size_t end = input.find('\r', std::max(scanned_, position_));
  if (end == std::string_view::npos) {
    if (input.size() - position_ > kMaxInlineBytes) return fail(too_long);
    scanned_ = input.size();
    return ParseStatus::NeedMore;
  }
  if (end + 1 >= input.size()) {
    scanned_ = end;
    return ParseStatus::NeedMore;
  }
  line = input.substr(position_, end - position_);
  position_ = end + 2;
  return ParseStatus::Done;
}

ParseStatus RequestParser::parse_count(std::string_view input, const RequestLimits& limits) {
  std::string_view line;
  ParseStatus status = read_line(input, line, kLongCount);
  if (status != ParseStatus::Done) return status;
  int64_t count = 0;
  if (!parse_integer(line.substr(1), count)) {
    return fail("Protocol error: invalid multibulk length");
  }
  if (count > static_cast<int64_t>(limits.arguments)) {
    return fail(limits.authenticated ? "Protocol error: invalid multibulk length"
                                     : "Protocol error: unauthenticated multibulk length");
  }
  if (count <= 0) {
    state_ = State::Finished;
    return ParseStatus::Done;
  }
  wanted_ = static_cast<size_t>(count);
  pieces_.reserve(std::min(wanted_, kMaxReserve));
  state_ = State::Bulks;
  return ParseStatus::Done;
}

ParseStatus RequestParser::parse_bulks(std::string_view input, const RequestLimits& limits) {
  while (pieces_.size() < wanted_) {
    if (!length_known_) {
      ParseStatus status = parse_bulk_length(input, limits);
      if (status != ParseStatus::Done) return status;
    }
    if (input.size() < position_ + bulk_length_ + 2) return ParseStatus::NeedMore;
    pieces_.push_back({position_, bulk_length_});
    position_ += bulk_length_ + 2;
    length_known_ = false;
  }
  return finish(input);
}

ParseStatus RequestParser::parse_bulk_length(std::string_view input, const RequestLimits& limits) {
  if (position_ >= input.size()) return ParseStatus::NeedMore;
  if (input[position_] != '$') {
    return fail(fmt::format("Protocol error: expected '$', got '{}'", input[position_]));
  }
  std::string_view line;
  ParseStatus status = read_line(input, line, kLongBulkLength);
  if (status != ParseStatus::Done) return status;
  int64_t length = 0;
  if (!parse_integer(line.substr(1), length) || length < 0) {
    return fail("Protocol error: invalid bulk length");
  }
  if (length > static_cast<int64_t>(limits.bulk_bytes)) {
    return fail(limits.authenticated ? "Protocol error: invalid bulk length"
                                     : "Protocol error: unauthenticated bulk length");
  }
  bulk_length_ = static_cast<size_t>(length);
  length_known_ = true;
  return ParseStatus::Done;
}

ParseStatus RequestParser::finish(std::string_view input) {
  for (const Piece& piece : pieces_) {
    arguments_.push_back(input.substr(piece.offset, piece.length));
  }
  state_ = State::Finished;
  return ParseStatus::Done;
}

}  // namespace slotd
