#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/resp/parser.h"

namespace slotd {

// One reply as a tree: what a client reads. Owns its bytes.
struct Value {
  enum class Kind : uint8_t {
    Null,
    Simple,
    Error,
    Integer,
    Bulk,
    Verbatim,  // `text` without the "txt:" in front
    Double,
    Boolean,  // in `integer`
    BigNumber,
    Array,
    Map,  // `elements` are key, value, key, value …
    Set,
    Push,
  };

  Kind kind = Kind::Null;
  std::string text;
  int64_t integer = 0;
  double real = 0;
  std::vector<Value> elements;

  bool is_error() const { return kind == Kind::Error; }
};

// Reads one RESP2 or RESP3 reply from the front of `input`. Done: `out` is set and `consumed` says
// how many bytes it took. NeedMore: call again with the same bytes and more; it starts over, so
// this is for replies of moderate size. Error: the stream is lost. Nesting deeper than 32 levels is
// an error.
ParseStatus parse_reply(std::string_view input, Value& out, size_t& consumed);

}  // namespace slotd
