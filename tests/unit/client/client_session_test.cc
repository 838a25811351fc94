#include "daemon/client/client_session.h"

#include <catch2/catch.hpp>

#include "common/resp/value.h"
#include "tests/unit/client/client_fixture.h"

using namespace slotd;

namespace {

struct Step {
  const char* command;
  const char* reply;
};

// Replies as a Redis 7.0.15 server gave them.
void run_steps(ClientFixture& server, std::initializer_list<Step> steps) {
  for (const Step& step : steps) {
    INFO(step.command);
    CHECK(server.ask(step.command) == step.reply);
  }
}

constexpr const char* kOk = "+OK\r\n";
constexpr const char* kQueued = "+QUEUED\r\n";

}  // namespace

TEST_CASE("string commands answer as Redis does", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  run_steps(
      server,
      {{"get a", "$-1\r\n"},
       {"set a b ex 0", "-ERR invalid expire time in 'set' command\r\n"},
       {"set a b nx xx", "-ERR syntax error\r\n"},
       {"set a b ex 10 px 10", "-ERR syntax error\r\n"},
       {"set a b ex x", "-ERR value is not an integer or out of range\r\n"},
       {"set a b ex 9223372036854775807", "-ERR invalid expire time in 'set' command\r\n"},
       {"set a b get", "$-1\r\n"},
       {"set a c xx get", "$1\r\nb\r\n"},
       {"set a d nx", "$-1\r\n"},
       {"setex a 0 b", "-ERR invalid expire time in 'setex' command\r\n"},
       {"getex a ex 1 persist", "-ERR syntax error\r\n"},
       {"SeT a hello", kOk},
       {"append a !", ":6\r\n"},
       {"strlen a", ":6\r\n"},
       {"getrange a 1 2", "$2\r\nel\r\n"},
       {"getrange a -3 -1", "$3\r\nlo!\r\n"},
       {"substr a 5 1", "$0\r\n\r\n"},
       {"setrange a 5 ?", ":6\r\n"},
       {"setrange a -1 x", "-ERR offset is out of range\r\n"},
       {"setrange a 536870912 x",
        "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n"},
       {"incr a", "-ERR value is not an integer or out of range\r\n"},
       {"incrbyfloat a 1", "-ERR value is not a valid float\r\n"},
       {"set a 10", kOk},
       {"incrbyfloat a 0.1", "$4\r\n10.1\r\n"},
       {"set a 9223372036854775807", kOk},
       {"incr a", "-ERR increment or decrement would overflow\r\n"},
       {"decrby a -9223372036854775808", "-ERR decrement would overflow\r\n"},
       {"mset {a}1 x {a}2 y", kOk},
       {"mget {a}1 {a}2 {a}3", "*3\r\n$1\r\nx\r\n$1\r\ny\r\n$-1\r\n"},
       {"mset a 1 a 2 {a}", "-ERR wrong number of arguments for 'mset' command\r\n"},
       {"msetnx {a}1 1 {a}9 2", ":0\r\n"},
       {"getdel {a}1", "$1\r\nx\r\n"},
       {"mset a 1 b", "-CROSSSLOT Keys in request don't hash to the same slot\r\n"},
       {"get", "-ERR wrong number of arguments for 'get' command\r\n"},
       {"nosuch a b", "-ERR unknown command 'nosuch', with args beginning with: 'a' 'b' \r\n"}});
}

TEST_CASE("key and expiry commands answer as Redis does", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  run_steps(
      server,
      {{"set a v", kOk},
       {"ttl a", ":-1\r\n"},
       {"ttl nokey", ":-2\r\n"},
       {"expire a 9223372036854775807", "-ERR invalid expire time in 'expire' command\r\n"},
       {"expire a 1 gt lt", "-ERR GT and LT options at the same time are not compatible\r\n"},
       {"expire a 1 foo", "-ERR Unsupported option foo\r\n"},
       {"expire a 100 gt", ":0\r\n"},
       {"expire a 100 lt", ":1\r\n"},
       {"pttl a", ":100000\r\n"},
       {"expiretime a", ":1700000100\r\n"},
       {"set a w keepttl", kOk},
       {"ttl a", ":100\r\n"},
       {"persist a", ":1\r\n"},
       {"copy a {a}b", ":1\r\n"},
       {"copy a {a}b", ":0\r\n"},
       {"copy a {a}b db 1", "-ERR Copying to another database is not allowed in cluster mode\r\n"},
       {"rename {a}nokey {a}2", "-ERR no such key\r\n"},
       {"rename a {a}c", kOk},
       {"exists a {a}b {a}c", ":2\r\n"},
       {"type {a}c", "+string\r\n"},
       {"object encoding {a}c", "$6\r\nembstr\r\n"},
       {"object nosuch a", "-ERR unknown subcommand 'nosuch'. Try OBJECT HELP.\r\n"},
       {"expire {a}b 0", ":1\r\n"},
       {"keys *", "*1\r\n$4\r\n{a}c\r\n"},
       {"randomkey", "$4\r\n{a}c\r\n"},
       {"scan x", "-ERR invalid cursor\r\n"},
       {"scan 0 count 0", "-ERR syntax error\r\n"},
       {"del a {a}c", ":1\r\n"},
       {"dbsize", ":0\r\n"}});
}

TEST_CASE("a key whose time has come is gone", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  server.ask("set a v px 5");
  server.wall_us += 4000;
  CHECK(server.ask("get a") == "$1\r\nv\r\n");
  server.wall_us += 1000;
  CHECK(server.ask("get a") == "$-1\r\n");
}

TEST_CASE("a scan sees every key, over all slots", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  for (int i = 0; i < 500; ++i) server.ask("set k" + std::to_string(i) + " v");
  size_t seen = 0;
  std::string cursor = "0";
  do {
    std::string reply = server.ask("scan " + cursor + " count 7");
    Value value;
    size_t consumed = 0;
    REQUIRE(parse_reply(reply, value, consumed) == ParseStatus::Done);
    cursor = value.elements[0].text;
    seen += value.elements[1].elements.size();
  } while (cursor != "0");
  CHECK(seen == 500);
}

TEST_CASE("transactions keep to one slot and to Redis' texts", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  auto other = server.connect();
  run_steps(server, {{"multi", kOk},
                     {"set a 1", kQueued},
                     {"incr a", kQueued},
                     {"mget a {a}no", kQueued},
                     {"select 1", kQueued},
                     {"exec",
                      "*4\r\n+OK\r\n:2\r\n*2\r\n$1\r\n2\r\n$-1\r\n-ERR SELECT is not allowed in "
                      "cluster mode\r\n"},
                     {"multi", kOk},
                     {"multi", "-ERR MULTI calls can not be nested\r\n"},
                     {"get", "-ERR wrong number of arguments for 'get' command\r\n"},
                     {"exec", "-EXECABORT Transaction discarded because of previous errors.\r\n"},
                     {"exec", "-ERR EXEC without MULTI\r\n"},
                     {"discard", "-ERR DISCARD without MULTI\r\n"},
                     {"multi", kOk},
                     {"set a 1", kQueued},
                     {"set b 1", kQueued},
                     {"exec", "-CROSSSLOT Keys in request don't hash to the same slot\r\n"},
                     {"exec", "-ERR EXEC without MULTI\r\n"},
                     {"watch a", kOk}});
  ClientFixture::ask(*other, "set a 5");
  run_steps(server, {{"multi", kOk},
                     {"get a", kQueued},
                     {"exec", "*-1\r\n"},
                     {"watch a", kOk},
                     {"multi", kOk},
                     {"exec", "*0\r\n"}});
}

TEST_CASE("a watched key that expires is a change", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  server.ask("set a v px 5");
  server.ask("watch a");
  server.wall_us += 10'000;
  server.ask("multi");
  CHECK(server.ask("exec") == "*-1\r\n");
}

TEST_CASE("a password is asked for before anything else", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  server.context.settings.requirepass = "pw";
  server.session = server.connect();
  run_steps(server,
            {{"get a", "-NOAUTH Authentication required.\r\n"},
             {"auth x", "-WRONGPASS invalid username-password pair or user is disabled.\r\n"},
             {"auth u pw", "-WRONGPASS invalid username-password pair or user is disabled.\r\n"},
             {"auth pw", kOk},
             {"get a", "$-1\r\n"},
             {"reset", "+RESET\r\n"},
             {"ping", "-NOAUTH Authentication required.\r\n"}});
  CHECK(server.ask("hello 3 auth default pw setname me").starts_with("%7\r\n$6\r\nserver\r\n"));
  CHECK(server.ask("get a") == "_\r\n");
  CHECK(server.ask("client getname") == "$2\r\nme\r\n");
  CHECK(server.ask("hello 4") == "-NOPROTO unsupported protocol version\r\n");
}

TEST_CASE("the connection commands", "[client]") {
  ClientFixture server;
  run_steps(
      server,
      {{"ping", "+PONG\r\n"},
       {"ping x", "$1\r\nx\r\n"},
       {"select a", "-ERR value is not an integer or out of range\r\n"},
       {"auth x",
        "-ERR AUTH <password> called without any password configured for the default user. Are "
        "you sure your configuration is correct?\r\n"},
       {"client setname \"a b\"",
        "-ERR Client names cannot contain spaces, newlines or special characters.\r\n"},
       {"client setname n", kOk},
       {"client getname", "$1\r\nn\r\n"},
       {"client id", ":1\r\n"},
       {"client kill 1.2.3.4:5", "-ERR No such client\r\n"},
       {"client kill id 99", ":0\r\n"},
       {"client nosuch", "-ERR unknown subcommand 'nosuch'. Try CLIENT HELP.\r\n"},
       {"client reply skip", ""},
       {"ping", ""},
       {"ping", "+PONG\r\n"},
       {"client reply off", ""},
       {"ping", ""},
       {"client reply on", kOk},
       {"config set nosuch 1",
        "-ERR Unknown option or number of arguments for CONFIG SET - 'nosuch'\r\n"},
       {"config get max*",
        "*4\r\n$10\r\nmaxclients\r\n$5\r\n10000\r\n$9\r\nmaxmemory\r\n$1\r\n0\r\n"},
       {"command getkeys mset a 1 b 2", "*2\r\n$1\r\na\r\n$1\r\nb\r\n"},
       {"command info nosuch", "*1\r\n*-1\r\n"},
       {"wait 0 0", ":0\r\n"}});
  CHECK(server.ask("client info").find("addr=127.0.0.1:50000 laddr=127.0.0.1:7000") !=
        std::string::npos);
  CHECK_FALSE(server.was_shut_down);
  server.ask("shutdown nosave");
  CHECK(server.was_shut_down);
  CHECK(server.ask("quit") == kOk);
  CHECK(server.session->close_after_reply());
}

TEST_CASE("one client kills another", "[client]") {
  ClientFixture server;
  auto victim = server.connect();
  CHECK(server.ask("client kill id " + std::to_string(victim->id())) == ":1\r\n");
  CHECK(victim->killed());
}

TEST_CASE("a pause holds commands back and lets them go", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  auto other = server.connect();
  CHECK(server.ask("client pause 1000 write") == kOk);
  CHECK(ClientFixture::ask(*other, "get a") == "$-1\r\n");
  CHECK(ClientFixture::ask(*other, "set a 1\r\nget a").empty());
  CHECK(other->waiting());
  CHECK(server.ask("client unpause") == kOk);
  CHECK(other->take_output() == "+OK\r\n$1\r\n1\r\n");
}

TEST_CASE("a protocol error is answered and ends the connection", "[client]") {
  ClientFixture server;
  CHECK(server.ask("*1\r\n:5") == "-ERR Protocol error: expected '$', got ':'\r\n");
  CHECK(server.session->close_after_reply());
}

TEST_CASE("commands may come in any pieces", "[client]") {
  ClientFixture server;
  server.own_all_slots();
  std::string stream = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$2\r\n\r\n\r\n*2\r\n$3\r\nGET\r\n$1\r\na\r\n";
  for (char c : stream) server.session->feed({&c, 1});
  CHECK(server.session->take_output() == "+OK\r\n$2\r\n\r\n\r\n");
}
