#include "cli/cluster_client.h"

#include <catch2/catch.hpp>

using namespace slotd;

namespace {

const std::string kIdA = "aa" + std::string(38, '1');
const std::string kIdB = "ab" + std::string(38, '2');
const std::string kIdC = "cc" + std::string(38, '3');

Topology topology_of(const std::string& text) {
  auto nodes = parse_nodes_text(text);
  REQUIRE(nodes.ok());
  return Topology{{"127.0.0.1", 7000}, *std::move(nodes)};
}

Topology three_nodes() {
  return topology_of(kIdA + " 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-99\n" + kIdB +
                     " 127.0.0.1:7001@17001,db.example master - 0 0 2 connected 200\n" + kIdC +
                     " 127.0.0.1:7002@17002 slave " + kIdA + " 0 0 1 connected\n");
}

}  // namespace

TEST_CASE("an endpoint is split at the last colon", "[cli]") {
  CHECK(parse_endpoint("localhost:7000").value() == Endpoint{"localhost", 7000});
  CHECK(parse_endpoint("::1:7000").value() == Endpoint{"::1", 7000});
  CHECK(parse_endpoint("[::1]:7000").value() == Endpoint{"::1", 7000});
}

TEST_CASE("what is no endpoint is refused", "[cli]") {
  for (const char* text : {"", "localhost", "localhost:", ":7000", "localhost:x", "localhost:65536",
                           "localhost:-1", "localhost:70 "}) {
    INFO(text);
    auto endpoint = parse_endpoint(text);
    REQUIRE(!endpoint.ok());
    CHECK(endpoint.error().code == ErrorCode::InvalidArgument);
  }
}

TEST_CASE("a node is found by id, start of an id, address or host name", "[cli]") {
  Topology topology = three_nodes();
  CHECK(topology.find(kIdA).value()->id.hex() == kIdA);
  CHECK(topology.find("ab").value()->id.hex() == kIdB);
  CHECK(topology.find("127.0.0.1:7002").value()->id.hex() == kIdC);
  CHECK(topology.find("db.example:7001").value()->id.hex() == kIdB);
}

TEST_CASE("a name that may be several nodes lists them", "[cli]") {
  auto found = three_nodes().find("a");
  REQUIRE(!found.ok());
  CHECK(found.error().code == ErrorCode::Conflict);
  CHECK(found.error().message.find(kIdA) != std::string::npos);
  CHECK(found.error().message.find(kIdB) != std::string::npos);
  CHECK(found.error().message.find(kIdC) == std::string::npos);
}

TEST_CASE("a name that no node has is not found", "[cli]") {
  for (const char* name : {"", "b", "127.0.0.1:7009", "127.0.0.1"}) {
    INFO(name);
    auto found = three_nodes().find(name);
    REQUIRE(!found.ok());
    CHECK(found.error().code == ErrorCode::NotFound);
  }
}

TEST_CASE("owners, masters and assigned slots of a topology", "[cli]") {
  Topology topology = three_nodes();
  CHECK(topology.myself().id.hex() == kIdA);
  CHECK(topology.owner(99)->id.hex() == kIdA);
  CHECK(topology.owner(100) == nullptr);
  CHECK(topology.masters().size() == 2);
  CHECK(topology.assigned().count() == 101);
}

TEST_CASE("failed nodes, strangers and nodes without address are no masters to talk to", "[cli]") {
  Topology topology =
      topology_of(kIdA + " 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-99\n" + kIdB +
                  " 127.0.0.1:7001@17001 master,fail - 0 0 2 disconnected 200\n" + kIdC +
                  " :0@0 master,noaddr - 0 0 0 disconnected\n");
  REQUIRE(topology.masters().size() == 1);
  CHECK(topology.masters().front()->myself);
}
