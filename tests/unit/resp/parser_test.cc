#include "common/resp/parser.h"

#include <catch2/catch.hpp>

#include "common/base/rng.h"
#include "common/resp/value.h"
#include "common/resp/writer.h"

using namespace slotd;

namespace {

using Words = std::vector<std::string>;

Words words(const RequestParser& parser) {
  return {parser.arguments().begin(), parser.arguments().end()};
}

Words parse_whole(std::string_view input) {
  RequestParser parser;
  REQUIRE(parser.parse(input) == ParseStatus::Done);
  CHECK(parser.consumed() == input.size());
  return words(parser);
}

std::string parse_error(std::string_view input) {
  RequestParser parser;
  if (parser.parse(input) != ParseStatus::Error) return "no error";
  return parser.error();
}

// Feeds `stream` in pieces of the given size and returns all commands.
std::vector<Words> parse_in_pieces(std::string_view stream, size_t piece) {
  RequestParser parser;
  std::string buffer;
  std::vector<Words> commands;
  for (size_t at = 0; at < stream.size(); at += piece) {
    buffer += stream.substr(at, piece);
    for (;;) {
      ParseStatus status = parser.parse(buffer);
      REQUIRE(status != ParseStatus::Error);
      if (status == ParseStatus::NeedMore) break;
      commands.push_back(words(parser));
      buffer.erase(0, parser.consumed());
    }
  }
  CHECK(buffer.empty());
  return commands;
}

}  // namespace

TEST_CASE("requests are arrays of bulk strings", "[resp]") {
  CHECK(parse_whole("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n") == Words{"GET", "k"});
  CHECK(parse_whole("*1\r\n$0\r\n\r\n") == Words{""});
  CHECK(parse_whole("*0\r\n").empty());
  CHECK(parse_whole("*-1\r\n").empty());
  CHECK(parse_whole(std::string_view("*1\r\n$3\r\n\r\n\0\r\n", 13)) ==
        Words{std::string("\r\n\0", 3)});
}

TEST_CASE("inline commands are split and unquoted", "[resp]") {
  CHECK(parse_whole("PING\r\n") == Words{"PING"});
  CHECK(parse_whole("  set  k \"a b\\n\\x41\"  '' \n") == Words{"set", "k", "a b\nA", ""});
  CHECK(parse_whole("set k 'it\\'s'\r\n") == Words{"set", "k", "it's"});
  CHECK(parse_whole("\r\n").empty());
}

TEST_CASE("protocol errors carry Redis' texts", "[resp]") {
  CHECK(parse_error("*2000000\r\n") == "Protocol error: invalid multibulk length");
  CHECK(parse_error("*x\r\n") == "Protocol error: invalid multibulk length");
  CHECK(parse_error("*1\r\n$536870913\r\n") == "Protocol error: invalid bulk length");
  CHECK(parse_error("*1\r\n$-1\r\n") == "Protocol error: invalid bulk length");
  CHECK(parse_error("*1\r\n:1\r\n") == "Protocol error: expected '$', got ':'");
  CHECK(parse_error("get \"k\r\n") == "Protocol error: unbalanced quotes in request");
  CHECK(parse_error("get \"k\"x\r\n") == "Protocol error: unbalanced quotes in request");
  CHECK(parse_error(std::string(70000, 'a')) == "Protocol error: too big inline request");
  CHECK(parse_error("*" + std::string(70000, '1')) == "Protocol error: too big mbulk count string");
  CHECK(parse_error("*1\r\n$" + std::string(70000, '1')) ==
        "Protocol error: too big bulk count string");
}

TEST_CASE("a stranger gets smaller limits", "[resp]") {
  RequestLimits limits{10, 16384, false};
  RequestParser many;
  CHECK(many.parse("*11\r\n", limits) == ParseStatus::Error);
  CHECK(many.error() == "Protocol error: unauthenticated multibulk length");
  RequestParser large;
  CHECK(large.parse("*1\r\n$16385\r\n", limits) == ParseStatus::Error);
  CHECK(large.error() == "Protocol error: unauthenticated bulk length");
}

TEST_CASE("pieces of any size give the same commands", "[resp]") {
  std::string stream = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\na\r\nb\r\nPING\r\n*0\r\n";
  stream += "set a \"b c\"\n*1\r\n$4\r\nPING\r\n";
  auto whole = parse_in_pieces(stream, stream.size());
  CHECK(whole.size() == 5);
  for (size_t piece = 1; piece < stream.size(); ++piece) {
    CHECK(parse_in_pieces(stream, piece) == whole);
  }
}

TEST_CASE("random requests survive random cuts", "[resp]") {
  Rng rng(4711);
  for (int round = 0; round < 200; ++round) {
    std::vector<Words> sent(1 + rng.below(8));
    std::string stream;
    for (Words& command : sent) {
      command.resize(1 + rng.below(5));
      for (std::string& word : command) {
        word.resize(rng.below(40));
        for (char& c : word) c = static_cast<char>(rng.below(256));
      }
      append_request(stream, command);
    }
    CHECK(parse_in_pieces(stream, 1 + rng.below(50)) == sent);
  }
}

TEST_CASE("garbage never reads outside the buffer and always ends", "[resp]") {
  Rng rng(99);
  const std::string alphabet = "*$0123456789\r\n-+:a\"' \\x_%~>,#=!(";
  for (int round = 0; round < 20000; ++round) {
    std::string input(rng.below(60), '\0');
    for (char& c : input) {
      c = rng.one_in(8) ? static_cast<char>(rng.below(256)) : alphabet[rng.below(alphabet.size())];
    }
    RequestParser parser;
    std::string buffer = input;
    while (parser.parse(buffer) == ParseStatus::Done) {
      REQUIRE(parser.consumed() > 0);
      REQUIRE(parser.consumed() <= buffer.size());
      buffer.erase(0, parser.consumed());
    }
    Value value;
    size_t consumed = 0;
    if (parse_reply(input, value, consumed) == ParseStatus::Done) {
      REQUIRE(consumed <= input.size());
    }
  }
}
