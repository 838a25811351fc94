#include <catch2/catch.hpp>

#include "common/resp/value.h"
#include "tests/unit/client/client_fixture.h"

using namespace slotd;

namespace {

std::string bulk(std::string_view text) {
  return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

}  // namespace

TEST_CASE("slots are assigned and refused as in Redis", "[client][cluster]") {
  ClientFixture server;
  struct Step {
    const char* command;
    const char* reply;
  };
  const std::string stranger(40, 'a');
  CHECK(server.ask("get a") == "-CLUSTERDOWN Hash slot not served\r\n");
  for (const Step& step : std::initializer_list<Step>{
           {"cluster addslots 1 2", "+OK\r\n"},
           {"cluster addslots 1", "-ERR Slot 1 is already busy\r\n"},
           {"cluster addslots 5 5", "-ERR Slot 5 specified multiple times\r\n"},
           {"cluster addslots a", "-ERR Invalid or out of range slot\r\n"},
           {"cluster addslots 16384", "-ERR Invalid or out of range slot\r\n"},
           {"cluster addslots",
            "-ERR wrong number of arguments for 'cluster|addslots' command\r\n"},
           {"cluster addslotsrange 5 4",
            "-ERR start slot number 5 is greater than end slot number 4\r\n"},
           {"cluster addslotsrange 0 0 3 16383", "+OK\r\n"},
           {"cluster setslot 1 foo",
            "-ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP\r\n"},
           {"cluster setslot 1 migrating xx", "-ERR I don't know about node xx\r\n"},
           {"cluster forget x", "-ERR Unknown node x\r\n"},
           {"cluster meet x 1", "-ERR Invalid node address specified: x:1\r\n"},
           {"cluster meet 127.0.0.1 x", "-ERR Invalid TCP base port specified: x\r\n"},
           {"cluster getkeysinslot 1 -1", "-ERR Invalid slot or number of keys\r\n"},
           {"cluster countkeysinslot 99999", "-ERR Invalid slot\r\n"},
           {"cluster keyslot foo", ":12182\r\n"},
           {"cluster set-config-epoch -1", "-ERR Invalid config epoch specified: -1\r\n"},
           {"cluster reset foo", "-ERR syntax error\r\n"},
           {"cluster nosuch", "-ERR unknown subcommand 'nosuch'. Try CLUSTER HELP.\r\n"}}) {
    INFO(step.command);
    CHECK(server.ask(step.command) == step.reply);
  }
  CHECK(server.ask("cluster setslot 1 node " + stranger) ==
        "-ERR Unknown node " + stranger + "\r\n");
  CHECK(server.ask("cluster myid") == bulk(server.node.view()->myself.hex()));
  CHECK(server.ask("cluster replicas " + server.node.view()->myself.hex()) == "*0\r\n");
}

TEST_CASE("SLOTS and SHARDS are Redis' bytes under both protocols", "[client][cluster]") {
  ClientFixture server;
  server.own_all_slots();
  std::string id = server.node.view()->myself.hex();
  std::string node = "*4\r\n$9\r\n127.0.0.1\r\n:7000\r\n" + bulk(id);
  CHECK(server.ask("cluster slots") == "*1\r\n*3\r\n:0\r\n:16383\r\n" + node + "*0\r\n");
  std::string fields = bulk("id") + bulk(id) + bulk("port") + ":7000\r\n" + bulk("ip") +
                       bulk("127.0.0.1") + bulk("endpoint") + bulk("127.0.0.1") + bulk("role") +
                       bulk("master") + bulk("replication-offset") + ":0\r\n" + bulk("health") +
                       bulk("online");
  std::string slots = bulk("slots") + "*2\r\n:0\r\n:16383\r\n" + bulk("nodes") + "*1\r\n";
  CHECK(server.ask("cluster shards") == "*1\r\n*4\r\n" + slots + "*14\r\n" + fields);
  server.ask("hello 3");
  CHECK(server.ask("cluster slots") == "*1\r\n*3\r\n:0\r\n:16383\r\n" + node + "%0\r\n");
  CHECK(server.ask("cluster shards") == "*1\r\n%2\r\n" + slots + "%7\r\n" + fields);
  // The cache follows the view.
  CHECK(server.ask("cluster delslotsrange 1 16383") == "+OK\r\n");
  CHECK(server.ask("cluster slots") == "*1\r\n*3\r\n:0\r\n:0\r\n" + node + "%0\r\n");
}

TEST_CASE("a node without an address is named by the client's socket", "[client][cluster]") {
  ClientFixture server;
  server.node.set_address(NodeAddress{"", 7000, 17000, ""}, server.instant);
  server.own_all_slots();
  CHECK(server.ask("cluster slots").find("$9\r\n127.0.0.1\r\n:7000") != std::string::npos);
}

TEST_CASE("CLUSTER INFO has Redis' lines first", "[client][cluster]") {
  ClientFixture server;
  server.own_all_slots();
  std::string reply = server.ask("cluster info");
  std::string head =
      "cluster_state:ok\r\ncluster_slots_assigned:16384\r\ncluster_slots_ok:16384\r\n"
      "cluster_slots_pfail:0\r\ncluster_slots_fail:0\r\ncluster_known_nodes:1\r\ncluster_size:1\r\n"
      "cluster_current_epoch:0\r\ncluster_my_epoch:0\r\ncluster_stats_messages_sent:0\r\n"
      "cluster_stats_messages_received:0\r\ntotal_cluster_links_buffer_limit_exceeded:0\r\n";
  CHECK(reply.find("\r\n" + head + "cluster_view_digest:") != std::string::npos);
  CHECK(reply.find("cluster_standing:ok\r\ncluster_open_slots:0\r\n") != std::string::npos);
  CHECK(reply.find("cluster_state_saved:yes\r\n") != std::string::npos);
  server.ask("hello 3");
  CHECK(server.ask("cluster info").find("\r\ntxt:cluster_state:ok\r\n") != std::string::npos);
}

TEST_CASE("CLUSTER HEARTBEATS has its fields in their order", "[client][cluster]") {
  ClientFixture server;
  server.ask("hello 3");
  std::string reply = server.ask("cluster heartbeats");
  Value value;
  size_t consumed = 0;
  REQUIRE(parse_reply(reply, value, consumed) == ParseStatus::Done);
  REQUIRE(value.elements.size() == 1);
  std::vector<std::string> names;
  for (size_t i = 0; i < value.elements[0].elements.size(); i += 2) {
    names.push_back(value.elements[0].elements[i].text);
  }
  CHECK(names == std::vector<std::string>{
                     "peer", "heartbeats-sent", "heartbeats-received", "heartbeat-bytes-sent",
                     "heartbeat-bytes-received", "last-heartbeat-sent", "last-heartbeat-received",
                     "mean-heartbeat-sent", "mean-heartbeat-received", "other-sent",
                     "other-received", "bytes-sent", "bytes-received", "myslots-sent",
                     "myslots-bytes-sent", "last-encoding", "last-myslots-bytes",
                     "raw-myslots-bytes", "kinds"});
  CHECK(value.elements[0].elements[1].text == "all");
  CHECK(value.elements[0].elements[37].elements.size() == kMessageKinds - 1);
}
