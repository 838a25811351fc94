#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/limits.h"

namespace slotd {

enum class ParseStatus : uint8_t { Done, NeedMore, Error };

struct RequestLimits {
  size_t arguments = kMaxArguments;
  size_t bulk_bytes = kMaxBulkBytes;
  bool authenticated = true;  // a stranger is told so when the limits above stop it
};

// Reads requests, arrays of bulk strings and inline commands, out of a byte stream in any pieces.
// It keeps offsets only and looks at each byte once; the bytes stay in the caller's buffer.
//
// The caller shows the unconsumed bytes. Done: `arguments()` are views into those bytes (or, for
// inline commands, into the parser) and live until the buffer or the parser is touched; drop
// `consumed()` bytes from the front and call again. NeedMore: call again with the same bytes and
// more behind them. Error: `error()` is the text for the client, and the connection is to be
// closed.
class RequestParser {
 public:
  ParseStatus parse(std::string_view input, const RequestLimits& limits = {});

  // Empty for an empty line or an array without elements: nothing to answer.
  std::span<const std::string_view> arguments() const { return arguments_; }
  size_t consumed() const { return position_; }
  // "Protocol error: …", as Redis 7 words it.
  const std::string& error() const { return error_; }

 private:
  struct Piece {
    size_t offset;
    size_t length;
  };

  void start();
  ParseStatus fail(std::string text);
  ParseStatus parse_inline(std::string_view input);
  ParseStatus parse_count(std::string_view input, const RequestLimits& limits);
  ParseStatus parse_bulks(std::string_view input, const RequestLimits& limits);
  ParseStatus parse_bulk_length(std::string_view input, const RequestLimits& limits);
  ParseStatus read_line(std::string_view input, std::string_view& line, const char* too_long);
  ParseStatus finish(std::string_view input);

  enum class State : uint8_t { Start, Bulks, Finished };

  State state_ = State::Start;
  size_t position_ = 0;  // bytes of `input` that are understood
  size_t scanned_ = 0;   // no line end before here
  size_t wanted_ = 0;    // bulks still to come
  bool length_known_ = false;
  size_t bulk_length_ = 0;
  std::vector<Piece> pieces_;
  std::vector<std::string_view> arguments_;
  std::string inline_bytes_;  // unquoted arguments of an inline command
  std::string error_;
};

}  // namespace slotd
