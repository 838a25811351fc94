#include "common/resp/writer.h"

#include <catch2/catch.hpp>

#include <limits>

#include "common/resp/number.h"
#include "common/resp/value.h"

using namespace slotd;

namespace {

template <typename Write>
std::string written(RespVersion version, Write write) {
  std::string out;
  RespWriter writer(out, version);
  write(writer);
  return out;
}

template <typename Write>
std::pair<std::string, std::string> both(Write write) {
  return {written(RespVersion::Resp2, write), written(RespVersion::Resp3, write)};
}

using Pair = std::pair<std::string, std::string>;

}  // namespace

TEST_CASE("each type is written in both versions", "[resp]") {
  CHECK(both([](RespWriter& w) { w.ok(); }) == Pair{"+OK\r\n", "+OK\r\n"});
  CHECK(both([](RespWriter& w) { w.error("ERR a\r\nb"); }) ==
        Pair{"-ERR a  b\r\n", "-ERR a  b\r\n"});
  CHECK(both([](RespWriter& w) { w.integer(-7); }) == Pair{":-7\r\n", ":-7\r\n"});
  CHECK(both([](RespWriter& w) { w.bulk("ab"); }) == Pair{"$2\r\nab\r\n", "$2\r\nab\r\n"});
  CHECK(both([](RespWriter& w) { w.null(); }) == Pair{"$-1\r\n", "_\r\n"});
  CHECK(both([](RespWriter& w) { w.null_array(); }) == Pair{"*-1\r\n", "_\r\n"});
  CHECK(both([](RespWriter& w) { w.map(2); }) == Pair{"*4\r\n", "%2\r\n"});
  CHECK(both([](RespWriter& w) { w.set(2); }) == Pair{"*2\r\n", "~2\r\n"});
  CHECK(both([](RespWriter& w) { w.push(2); }) == Pair{"*2\r\n", ">2\r\n"});
  CHECK(both([](RespWriter& w) { w.real(3.5); }) == Pair{"$3\r\n3.5\r\n", ",3.5\r\n"});
  CHECK(both([](RespWriter& w) { w.boolean(true); }) == Pair{":1\r\n", "#t\r\n"});
  CHECK(both([](RespWriter& w) { w.verbatim("x"); }) == Pair{"$1\r\nx\r\n", "=5\r\ntxt:x\r\n"});
  int64_t lowest = std::numeric_limits<int64_t>::min();
  CHECK(written(RespVersion::Resp2, [&](RespWriter& w) { w.integer(lowest); }) ==
        ":-9223372036854775808\r\n");
}

TEST_CASE("what is written is read back", "[resp]") {
  std::string bytes = written(RespVersion::Resp3, [](RespWriter& w) {
    w.map(2);
    w.bulk("a");
    w.array(3);
    w.integer(1);
    w.null();
    w.boolean(false);
    w.bulk("b");
    w.verbatim("text");
  });
  Value value;
  size_t consumed = 0;
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    CHECK(parse_reply(std::string_view(bytes).substr(0, cut), value, consumed) ==
          ParseStatus::NeedMore);
  }
  REQUIRE(parse_reply(bytes, value, consumed) == ParseStatus::Done);
  CHECK(consumed == bytes.size());
  REQUIRE(value.kind == Value::Kind::Map);
  REQUIRE(value.elements.size() == 4);
  CHECK(value.elements[1].elements[0].integer == 1);
  CHECK(value.elements[1].elements[1].kind == Value::Kind::Null);
  CHECK(value.elements[3].text == "text");
}

TEST_CASE("nesting is bounded", "[resp]") {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += "*1\r\n";
  Value value;
  size_t consumed = 0;
  CHECK(parse_reply(bytes, value, consumed) == ParseStatus::Error);
}

TEST_CASE("integers are read in their one printed form", "[resp]") {
  int64_t value = 0;
  for (const char* bad : {"", "-", "+1", " 1", "1 ", "01", "-0", "9223372036854775808", "1a"}) {
    CHECK_FALSE(parse_integer(bad, value));
  }
  CHECK((parse_integer("-9223372036854775808", value) &&
         value == std::numeric_limits<int64_t>::min()));
  CHECK((parse_integer("0", value) && value == 0));
}

TEST_CASE("floats print as Redis prints them", "[resp]") {
  long double value = 0;
  REQUIRE(parse_real("10.5", value));
  CHECK(format_real_plain(value + 0.1L) == "10.6");
  CHECK(format_real_plain(5.0e3L) == "5000");
  CHECK(format_real_plain(-0.0L) == "0");
  CHECK_FALSE(parse_real(" 1", value));
  CHECK_FALSE(parse_real("nan", value));
  CHECK_FALSE(parse_real("1x", value));
}
