#include "daemon/client/client_port.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <catch2/catch.hpp>

#include "common/resp/value.h"
#include "daemon/client/dump_payload.h"
#include "daemon/client/migration_client_uv.h"
#include "daemon/uv/clock.h"
#include "tests/unit/client/client_fixture.h"

using namespace slotd;

namespace {

constexpr int64_t kPatienceMs = 20'000;

// Turns the loop until `done`, or fails the test: a test that hangs says nothing.
template <typename Done>
void run_until(Loop& loop, Done done) {
  Timer wake(loop, [] {});
  wake.repeat(milliseconds(5));
  int64_t give_up = wall_now_ms() + kPatienceMs;
  while (!done()) {
    REQUIRE(wall_now_ms() < give_up);
    loop.run_once();
  }
}

// A client on the same loop.
class TestClient {
 public:
  TestClient(Loop& loop, uint16_t port) : loop_(loop), stream_(loop) {
    stream_.connect("127.0.0.1", port, [this](const Result<void>& result) {
      settled = true;
      connected = result.ok();
      if (!connected) return;
      stream_.start_reading([this](std::string_view bytes) { received += bytes; },
                            [this] { closed = true; });
    });
    run_until(loop, [this] { return settled; });
  }

  void send(std::string bytes) { stream_.write(std::move(bytes)); }
  std::string ask(std::span<const std::string> words) {
    std::string request;
    append_request(request, words);
    received.clear();
    send(request);
    size_t consumed = 0;
    run_until(loop_, [&] {
      return closed || parse_reply(received, reply, consumed) == ParseStatus::Done;
    });
    return received;
  }
  std::string ask(std::initializer_list<std::string> words) {
    return ask(std::vector<std::string>(words));
  }
  TcpStream& stream() { return stream_; }

  std::string received;
  Value reply;
  bool settled = false;
  bool connected = false;
  bool closed = false;

 private:
  Loop& loop_;
  TcpStream stream_;
};

struct LiveServer {
  explicit LiveServer(Loop& loop) : port(loop, fixture.context) {
    fixture.own_all_slots();
    REQUIRE(port.listen({"127.0.0.1"}, 0).ok());
  }

  ClientFixture fixture;
  ClientPort port;
};

// A real redis-server on a free port, ended with the test.
class RedisServer {
 public:
  explicit RedisServer(Loop& loop) {
    {
      TcpListener probe(loop, [](uv_stream_t*) {});
      REQUIRE(probe.listen("127.0.0.1", 0, 1).ok());
      port_ = probe.port();
    }
    loop.run_once();
    std::string port = std::to_string(port_);
    const char* arguments[] = {"redis-server", "--port", port.c_str(), "--save",    "",
                               "--appendonly", "no",     "--logfile",  "/dev/null", nullptr};
    started_ = posix_spawnp(&pid_, "redis-server", nullptr, nullptr,
                            const_cast<char* const*>(arguments), environ) == 0;
  }
  ~RedisServer() {
    if (!started_) return;
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  bool started() const { return started_; }
  uint16_t port() const { return port_; }

 private:
  pid_t pid_ = 0;
  uint16_t port_ = 0;
  bool started_ = false;
};

}  // namespace

TEST_CASE("the port serves pipelines in any pieces", "[client][uv]") {
  Loop loop;
  LiveServer server(loop);
  TestClient client(loop, server.port.port());
  client.send("PING\r\nSET a 1\r\nGE");
  run_until(loop, [&] { return client.received == "+PONG\r\n+OK\r\n"; });
  client.send("T a\r\n");
  run_until(loop, [&] { return client.received.ends_with("$1\r\n1\r\n"); });
  client.send("QUIT\r\n");
  run_until(loop, [&] { return client.closed && server.port.connections() == 0; });
}

TEST_CASE("large values go through", "[client][uv]") {
  Loop loop;
  LiveServer server(loop);
  TestClient client(loop, server.port.port());
  std::string value(5'000'000, 'v');
  CHECK(client.ask({"SET", "a", value}) == "+OK\r\n");
  client.ask({"GET", "a"});
  CHECK(client.reply.text == value);
}

TEST_CASE("one client too many is told so", "[client][uv]") {
  Loop loop;
  LiveServer server(loop);
  server.fixture.context.settings.max_clients = 1;
  TestClient first(loop, server.port.port());
  CHECK(first.ask({"PING"}) == "+PONG\r\n");
  TestClient second(loop, server.port.port());
  run_until(loop, [&] { return second.closed; });
  CHECK(second.received == "-ERR max number of clients reached\r\n");
}

TEST_CASE("a client that does not read is closed", "[client][uv]") {
  Loop loop;
  LiveServer server(loop);
  server.fixture.context.settings.max_output_bytes = 1u << 20;
  TestClient client(loop, server.port.port());
  client.ask({"SET", "a", std::string(100'000, 'v')});
  client.stream().stop_reading();
  std::string gets;
  for (int i = 0; i < 1000; ++i) gets += "GET a\r\n";
  client.send(gets);
  run_until(loop, [&] { return server.port.connections() == 0; });
}

TEST_CASE("an idle client is closed", "[client][uv]") {
  Loop loop;
  LiveServer server(loop);
  server.fixture.context.settings.idle_timeout = seconds(1);
  TestClient client(loop, server.port.port());
  client.ask({"PING"});
  server.fixture.instant += seconds(2);
  run_until(loop, [&] { return client.closed; });
}

TEST_CASE("keys move from server to server over TCP", "[client][uv][migrate]") {
  Loop loop;
  LiveServer target(loop);
  ClientFixture source;
  source.own_all_slots();
  MigrationClientUv migration(loop);
  ClientContext context{source.node,
                        source.keys,
                        source.config,
                        migration,
                        source.context.now,
                        source.context.wall_us,
                        source.context.shut_down};
  ClientSession session(context, {}, {}, [] {});
  auto migrate = [&](const std::string& options) {
    session.feed("migrate 127.0.0.1 " + std::to_string(target.port.port()) + " \"\" 0 5000 " +
                 options + "\r\n");
    run_until(loop, [&] { return !session.waiting(); });
    return session.take_output();
  };
  ClientFixture::ask(session, "mset {a}1 x {a}2 y");
  CHECK(migrate("keys {a}1") == "+OK\r\n");
  CHECK(target.fixture.store.size() == 1);
  CHECK(source.store.size() == 1);
  ClientFixture::ask(session, "set {a}1 again");
  CHECK(migrate("keys {a}1 {a}2") ==
        "-ERR Target instance replied with error: BUSYKEY Target key name already exists.\r\n");
  CHECK(migrate("copy replace keys {a}1") == "+OK\r\n");
  CHECK(source.store.size() == 1);
  CHECK(migration.connections() == 1);
}

TEST_CASE("nobody at the target is an I/O error", "[client][uv][migrate]") {
  Loop loop;
  uint16_t port = 0;
  {
    TcpListener probe(loop, [](uv_stream_t*) {});
    REQUIRE(probe.listen("127.0.0.1", 0, 1).ok());
    port = probe.port();
  }
  loop.run_once();
  MigrationClientUv migration(loop);
  for (std::string host : {"127.0.0.1", "no address"}) {
    Transfer transfer;
    transfer.host = host;
    transfer.port = port;
    transfer.timeout = seconds(5);
    transfer.keys.push_back({"k", 0, make_dump_payload("v")});
    std::string error;
    migration.start(std::move(transfer),
                    [&](const auto& result) { error = result.error().message; });
    CHECK(error.empty());
    run_until(loop, [&] { return !error.empty(); });
    CHECK(error == "IOERR error or timeout writing to target instance");
  }
}

TEST_CASE("a real Redis takes and gives our payloads", "[client][uv][migrate]") {
  Loop loop;
  RedisServer redis(loop);
  if (!redis.started()) {
    WARN("no redis-server on this machine");
    return;
  }
  std::unique_ptr<TestClient> client;
  run_until(loop, [&] {
    client = std::make_unique<TestClient>(loop, redis.port());
    return client->connected;
  });
  std::string mixed;
  for (int i = 0; i < 3000; ++i) mixed += "line " + std::to_string(i % 37) + "\n";
  for (const std::string& value :
       {std::string("hello"), std::string("0"), std::string("-129"), std::string("40000"),
        std::string("2147483648"), std::string("007"), std::string(70, 'x'),
        std::string(20000, 'z'), mixed, std::string("a\0b\r\n", 5), std::string()}) {
    CHECK(client->ask({"RESTORE", "k", "0", make_dump_payload(value), "REPLACE"}) == "+OK\r\n");
    client->ask({"GET", "k"});
    CHECK(client->reply.text == value);
    client->ask({"DUMP", "k"});
    auto back = parse_dump_payload(client->reply.text);
    REQUIRE(back.ok());
    CHECK(*back == value);
  }
  client->ask({"RPUSH", "list", "x"});
  client->ask({"DUMP", "list"});
  CHECK_FALSE(parse_dump_payload(client->reply.text).ok());
}
