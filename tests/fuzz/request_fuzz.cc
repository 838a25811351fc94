// RequestParser: first byte the size of the pieces in which the rest arrives. Pieces and the whole
// give the same commands and end alike.
#include <algorithm>
#include <string>
#include <vector>

#include "common/resp/parser.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

namespace {

struct Outcome {
  std::vector<std::vector<std::string>> commands;
  std::string error;
  size_t left = 0;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome parse_all(std::string_view text, size_t piece, const RequestLimits& limits) {
  RequestParser parser;
  Outcome outcome;
  std::string buffer;
  for (size_t at = 0; at < text.size();) {
    std::string_view more = text.substr(at, piece);
    buffer += more;
    at += more.size();
    ParseStatus status = parser.parse(buffer, limits);
    for (; status == ParseStatus::Done; status = parser.parse(buffer, limits)) {
      outcome.commands.emplace_back(parser.arguments().begin(), parser.arguments().end());
      FUZZ_CHECK(parser.consumed() > 0 && parser.consumed() <= buffer.size());
      buffer.erase(0, parser.consumed());
    }
    if (status == ParseStatus::Error) {
      outcome.error = parser.error();
      FUZZ_CHECK(!outcome.error.empty());
      return outcome;
    }
  }
  outcome.left = buffer.size();
  return outcome;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  uint8_t choice = input.byte();
  RequestLimits limits;
  if (choice >= 128) limits = {10, 100, false};
  std::string_view text = input.text();
  Outcome whole = parse_all(text, std::max<size_t>(text.size(), 1), limits);
  FUZZ_CHECK(parse_all(text, choice % 128 + 1u, limits) == whole);
  return 0;
}
