#include <catch2/catch.hpp>

#include "common/base/rng.h"
#include "daemon/client/dump_payload.h"
#include "tests/unit/client/client_fixture.h"

using namespace slotd;

namespace {

// As a Redis 7.0.15 server dumped it.
const std::string kRedisDump(
    "\x00\x13"
    "9223372036854775807"
    "\n\x00"
    ":e~\x94\x81\xe8_\"",
    31);

std::string with_footer(std::string body) {
  body += std::string("\x0a\x00", 2);
  uint64_t crc = crc64_jones(as_bytes(body));
  for (int i = 0; i < 8; ++i) body.push_back(static_cast<char>(crc >> (8 * i) & 0xff));
  return body;
}

std::string restored(const std::string& body) {
  auto value = parse_dump_payload(with_footer(body));
  return value.ok() ? *value : "(" + value.error().message + ")";
}

constexpr const char* kMigrate = "migrate 127.0.0.1 7001 \"\" 0 1000 keys {a}1 {a}2 {a}no";

}  // namespace

TEST_CASE("payloads are Redis' own", "[client][migrate]") {
  CHECK(crc64_jones(as_bytes("123456789")) == 0xe9c6d914c4b8d9cau);
  CHECK(make_dump_payload("9223372036854775807") == kRedisDump);
  CHECK(*parse_dump_payload(kRedisDump) == "9223372036854775807");
  for (const char* number : {"0", "127", "-128", "128", "-32768", "32768", "-2147483648",
                             "2147483647", "2147483648", "007", "-0", "+1"}) {
    CHECK(*parse_dump_payload(make_dump_payload(number)) == number);
  }
  for (size_t size : {0u, 63u, 64u, 16383u, 16384u, 100000u}) {
    std::string value(size, 'x');
    CHECK(*parse_dump_payload(make_dump_payload(value)) == value);
  }
}

TEST_CASE("compressed payloads are read", "[client][migrate]") {
  // One literal 'a', then 19 more by a copy at distance 1: 7 + 10 + 2.
  CHECK(restored(std::string("\x00\xc3\x05\x14\x00"
                             "a\xe0\x0a\x00",
                             9)) == std::string(20, 'a'));
  // A copy from before the beginning.
  CHECK(restored(std::string("\x00\xc3\x05\x14\x00"
                             "a\xe0\x0a\x05",
                             9)) == "(payload does not decode)");
}

TEST_CASE("wrong payloads are refused, never trusted", "[client][migrate]") {
  ClientFixture server;
  server.own_all_slots();
  CHECK(server.ask("restore a 0 xx") == "-ERR DUMP payload version or checksum are wrong\r\n");
  CHECK(server.ask("restore a 0 xx idletime -1") ==
        "-ERR Invalid IDLETIME value, must be >= 0\r\n");
  CHECK(restored(std::string("\x00\x05"
                             "ab",
                             4)) == "(payload does not decode)");
  CHECK(restored(std::string("\x01\x00", 2)) == "(payload is no string)");
  CHECK(restored(std::string("\x00\x01"
                             "ab",
                             4)) == "(payload does not decode)");
  Rng rng(3);
  for (int round = 0; round < 20000; ++round) {
    std::string body(rng.below(30), '\0');
    for (char& c : body) c = static_cast<char>(rng.below(256));
    if (rng.one_in(2)) body = std::string("\x00\xc3", 2) + body;
    (void)parse_dump_payload(with_footer(body));
    (void)parse_dump_payload(body);
  }
}

TEST_CASE("DUMP and RESTORE carry a key and its time", "[client][migrate]") {
  ClientFixture server;
  server.own_all_slots();
  server.ask("set a hello");
  std::string payload = make_dump_payload("hello");
  CHECK(server.ask("dump a") == "$" + std::to_string(payload.size()) + "\r\n" + payload + "\r\n");
  std::string request;
  append_request(request, std::vector<std::string>{"restore", "b", "500", payload});
  server.session->feed(request);
  CHECK(server.session->take_output() == "+OK\r\n");
  CHECK(server.ask("pttl b") == ":500\r\n");
  server.session->feed(request);
  CHECK(server.session->take_output() == "-BUSYKEY Target key name already exists.\r\n");
}

TEST_CASE("MIGRATE moves what is there and keeps others off it", "[client][migrate]") {
  ClientFixture server;
  server.own_all_slots();
  auto other = server.connect();
  CHECK(server.ask(kMigrate) == "+NOKEY\r\n");
  server.ask("mset {a}1 x {a}2 y {a}3 z");
  server.ask("pexpire {a}2 700");
  CHECK(server.ask(kMigrate).empty());
  REQUIRE(server.migration.transfer.keys.size() == 2);
  CHECK(server.migration.transfer.keys[1].ttl_ms == 700);
  // Other keys and other clients go on; whoever wants a key that travels waits, with all behind it.
  CHECK(ClientFixture::ask(*other, "get {a}3") == "$1\r\nz\r\n");
  CHECK(ClientFixture::ask(*other, "set {a}1 late\r\nget {a}1").empty());
  CHECK(server.ask("ping").empty());
  server.migration.done(std::vector<MigrationClient::KeyOutcome>{
      {}, Error{ErrorCode::Refused, "BUSYKEY Target key name already exists."}});
  CHECK(server.session->take_output() ==
        "-ERR Target instance replied with error: BUSYKEY Target key name already exists.\r\n"
        "+PONG\r\n");
  CHECK(other->take_output() == "+OK\r\n$4\r\nlate\r\n");
  CHECK(server.ask("get {a}2") == "$1\r\ny\r\n");
}

TEST_CASE("a transfer ends well when its client is gone", "[client][migrate]") {
  ClientFixture server;
  server.own_all_slots();
  server.ask("set {a}1 x");
  server.ask(kMigrate);
  server.session.reset();
  server.migration.done(std::vector<MigrationClient::KeyOutcome>{{}});
  CHECK(server.store.size() == 0);
  CHECK(server.context.locks.empty());
}

TEST_CASE("a lost connection moves nothing", "[client][migrate]") {
  ClientFixture server;
  server.own_all_slots();
  server.ask("set {a}1 x");
  server.ask(kMigrate);
  server.migration.done(Error{ErrorCode::Io, "IOERR error or timeout writing to target instance"});
  CHECK(server.session->take_output() == "-IOERR error or timeout writing to target instance\r\n");
  CHECK(server.ask("get {a}1") == "$1\r\nx\r\n");
}

TEST_CASE("MIGRATE's words are checked", "[client][migrate]") {
  ClientFixture server;
  server.own_all_slots();
  server.ask("set a v");
  CHECK(server.ask("migrate h 1 a 0 1000 foo") == "-ERR syntax error\r\n");
  CHECK(server.ask("migrate h 1 a 0 1000 auth") == "-ERR syntax error\r\n");
  CHECK(server.ask("migrate h 1 a 0 x") == "-ERR value is not an integer or out of range\r\n");
  CHECK(
      server.ask("migrate h 1 a 0 1000 keys a") ==
      "-ERR When using MIGRATE KEYS option, the key argument must be set to the empty string\r\n");
  CHECK(server.ask("command getkeys migrate h 1 \"\" 0 1 auth keys keys b") == "*1\r\n$1\r\nb\r\n");
}
