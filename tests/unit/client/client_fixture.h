#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/slot/slot_set.h"
#include "daemon/client/client_session.h"
#include "daemon/client/glob.h"
#include "daemon/store/memory_store.h"

namespace slotd {

// A real node and store with a clock set by hand, and sessions fed in memory.
class ClientFixture {
 public:
  struct SilentTransport : Transport {
    void dial(LinkId, const std::string&, uint16_t) override {}
    void send(LinkId, ByteView) override {}
    void close(LinkId) override {}
  };
  struct ForgetfulStore : StateStore {
    Result<void> save(ByteView) override { return {}; }
  };
  struct FakeConfig : ConfigPort {
    std::map<std::string, std::string> values{{"maxclients", "10000"}, {"maxmemory", "0"}};
    std::vector<std::pair<std::string, std::string>> get(std::string_view glob) override {
      std::vector<std::pair<std::string, std::string>> found;
      for (const auto& value : values) {
        if (glob_match(glob, value.first, true)) found.push_back(value);
      }
      return found;
    }
    Result<void> set(std::string_view name, std::string_view value) override {
      auto found = values.find(std::string(name));
      if (found == values.end()) return make_error(ErrorCode::NotFound, "no such directive");
      found->second = value;
      return {};
    }
    Result<void> rewrite() override { return {}; }
  };
  // Holds transfers until the test answers them.
  struct FakeMigration : MigrationClient {
    Transfer transfer;
    Done done;
    void start(Transfer started, Done on_done) override {
      transfer = std::move(started);
      done = std::move(on_done);
    }
  };

  ClientFixture() { context.rng = Rng(7); }

  void own_all_slots() { REQUIRE(node.apply(AddSlotsCommand{SlotSet::full()}, instant).ok()); }
  std::unique_ptr<ClientSession> connect() {
    return std::make_unique<ClientSession>(context, SocketAddress{"127.0.0.1", 50000},
                                           SocketAddress{"127.0.0.1", 7000}, [] {});
  }
  // One inline command, one reply as bytes.
  std::string ask(std::string_view line) { return ask(*session, line); }
  static std::string ask(ClientSession& client, std::string_view line) {
    client.feed(std::string(line) + "\r\n");
    return client.take_output();
  }

  Instant instant{seconds(1000)};
  int64_t wall_us = 1'700'000'000'000'000;
  SilentTransport transport;
  ForgetfulStore state_store;
  MemoryStore store{1};
  Keyspace keys{store};
  FakeConfig config;
  FakeMigration migration;
  Node node{ClusterConfig{},
            fresh_identity(1, NodeAddress{"127.0.0.1", 7000, 17000, ""}),
            2,
            instant,
            transport,
            state_store,
            [](const ClusterEvent&) {}};
  bool was_shut_down = false;
  ClientContext context{node,
                        keys,
                        config,
                        migration,
                        [this] { return instant; },
                        [this] { return wall_us; },
                        [this] { was_shut_down = true; }};
  std::unique_ptr<ClientSession> session = connect();
};

}  // namespace slotd
