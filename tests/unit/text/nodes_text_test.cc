#include "common/text/nodes_text.h"

#include <catch2/catch.hpp>

#include "common/slot/slot_ranges.h"
#include "common/text/info_fields.h"

using namespace slotd;

namespace {

const std::string kIdA(40, 'a');
const std::string kIdB(40, 'b');

NodeLine parsed(const std::string& text) {
  auto lines = parse_nodes_text(text);
  REQUIRE(lines.ok());
  REQUIRE(lines->size() == 1);
  return lines->front();
}

std::string refusal(const std::string& text) {
  auto lines = parse_nodes_text(text);
  return lines.ok() ? "accepted" : lines.error().message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

NodeLine with_address(const std::string& address) {
  return parsed(kIdA + " " + address + " master - 0 0 1 connected\n");
}

Member member(char digit, uint16_t port, const std::string& hostname = "") {
  auto record = std::make_shared<NodeRecord>();
  REQUIRE(NodeId::parse(std::string(40, digit), record->id));
  record->address = {"10.0.0.1", port, static_cast<uint16_t>(port + 10000), hostname};
  record->config_epoch = {3};
  return {record, Health::Ok, 0};
}

// "a" (this node) owns 0-2 and 5, moves 5 to "b" and takes 9 from it; "b" owns 9.
ClusterView make_view() {
  ClusterView view;
  view.members = {member('a', 7000), member('b', 7001, "host.b")};
  view.myself = view.members[0].record->id;
  view.owners.fill(ClusterView::kNobody);
  for (size_t slot : {0, 1, 2, 5}) view.owners[slot] = 0;
  view.owners[9] = 1;
  view.migrating[5] = view.importing[9] = view.members[1].record->id;
  return view;
}

}  // namespace

TEST_CASE("lines as Redis 7.0 prints them are read") {
  NodeLine line = parsed(
      "558c55d1494c2f16249736cc8c2bfe7e6fe80262 127.0.0.1:30001@31001 myself,master - 0 "
      "1426238317239 2 connected 0-5460 7000 [93->-292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f] "
      "[77-<-e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca]\n");
  CHECK(line.id.hex() == "558c55d1494c2f16249736cc8c2bfe7e6fe80262");
  CHECK(line.address.ip == "127.0.0.1");
  CHECK(line.address.port == 30001);
  CHECK(line.address.bus_port == 31001);
  CHECK((line.myself && line.master && line.connected && !line.replica && !line.failed));
  CHECK(line.master_id.is_zero());
  CHECK(line.pong_received_ms == 1426238317239);
  CHECK(line.config_epoch == 2);
  CHECK(format_slot_ranges(line.slots) == "0-5460,7000");
  REQUIRE(line.migrating.size() == 1);
  CHECK(line.migrating[0].first == 93);
  CHECK(line.migrating[0].second.hex() == "292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f");
  REQUIRE(line.importing.size() == 1);
  CHECK(line.importing[0].first == 77);
}

TEST_CASE("flags of replicas, of the failed, and of strangers are read") {
  NodeLine replica = parsed(kIdA + " 10.0.0.2:7001@17001 slave,fail? " + kIdB + " 5 6 2 connected");
  CHECK((replica.replica && replica.suspect && !replica.master && !replica.failed));
  CHECK(replica.master_id.hex() == kIdB);
  CHECK(replica.ping_sent_ms == 5);
  NodeLine failed = parsed(kIdA + " :0@0 master,fail,noaddr,nofailover - 1 1 2 disconnected");
  CHECK((failed.failed && failed.noaddr && failed.nofailover && !failed.suspect));
  CHECK_FALSE(failed.connected);
  NodeLine stranger = parsed(
      "4ad86c4270564f4c891b056f616d0f9c37516268 127.0.0.1:1@2 handshake - 0 0 0 "
      "disconnected");
  CHECK((stranger.handshake && !stranger.master));
}

TEST_CASE("addresses in every spelling are read") {
  CHECK(with_address(":21811@21911").address.ip.empty());
  CHECK(with_address(":21811@21911,abc.example").address.hostname == "abc.example");
  CHECK(with_address("127.0.0.1:7000").address.bus_port == 0);
  CHECK(with_address("10.0.0.1:7000@17000,").address.hostname.empty());
  CHECK(with_address("10.0.0.1:7000@17000,host,shard-id=69bc").address.hostname == "host");
  CHECK(with_address("10.0.0.1:7000@17000,,shard-id=69bc").address.hostname.empty());
  CHECK(with_address("10.0.0.1:7000@17000,shard-id=69bc").address.hostname.empty());
  NodeLine bare = with_address("2001:db8::1:7000@17000");
  CHECK(bare.address.ip == "2001:db8::1");
  CHECK(bare.address.port == 7000);
  CHECK(with_address("[2001:db8::1]:7000@17000").address.ip == "2001:db8::1");
}

TEST_CASE("blank lines and carriage returns do no harm") {
  auto lines = parse_nodes_text(kIdA + " 1.2.3.4:1@2 master - 0 0 1 connected\r\n\r\n" + kIdB +
                                " 1.2.3.4:3@4 master - 0 0 1 connected 16383\n\n");
  REQUIRE(lines.ok());
  REQUIRE(lines->size() == 2);
  CHECK(lines->at(1).slots.contains(16383));
  CHECK(parse_nodes_text("")->empty());
}

TEST_CASE("what is wrong is named by line and field") {
  const std::string good = kIdB + " 1.2.3.4:3@4 master - 0 0 1 connected\n";
  auto says = [&](const std::string& row, const std::string& field) {
    return contains(refusal(good + row), "line 2: bad " + field);
  };
  CHECK(says("hello", "number of fields"));
  CHECK(says("zz 1.2.3.4:3@4 master - 0 0 1 connected", "node id"));
  for (const char* address :
       {"1.2.3.4", "1.2.3.4:70000", "1.2.3.4:x", "1.2.3.4:1@", "1.2.3.4:1@-2"}) {
    CHECK(says(kIdA + " " + address + " master - 0 0 1 connected", "address"));
  }
  const std::string head = kIdA + " 1.2.3.4:1@2 master ";
  CHECK(says(head + "x 0 0 1 connected", "master id"));
  CHECK(says(head + "- x 0 1 connected", "ping time"));
  CHECK(says(head + "- 0 x 1 connected", "pong time"));
  CHECK(says(head + "- 0 0 -1 connected", "config epoch"));
  for (const char* slots : {"16384", "0-16384", "5-4", "5-", "-5", "65536", "1x", "[", "[]", "[5]",
                            "[5->-abc]", "[16384->-", "[5-", "5,6"}) {
    CHECK(says(head + "- 0 0 1 connected " + slots, "slots"));
  }
  CHECK(says(head + "- 0 0 1 connected [16384->-" + kIdB + "]", "slots"));
  CHECK(says(head + "- 0 0 1 connected [5->-" + kIdB, "slots"));
}

TEST_CASE("a view is printed as Redis 7 prints it") {
  ClusterView view = make_view();
  LinkStatus link;
  link.peer = view.members[1].record->id;
  link.connected = true;
  link.last_heard = Instant(seconds(2));
  std::string text = format_nodes_text(view, std::vector{link}, seconds(1000));
  CHECK(text == kIdA + " 10.0.0.1:7000@17000 myself,master - 0 0 3 connected 0-2 5 [5->-" + kIdB +
                    "] [9-<-" + kIdB + "]\n" + kIdB +
                    " 10.0.0.1:7001@17001,host.b master - 0 1002000 3 connected 9\n");
}

TEST_CASE("links and health show in state and times") {
  ClusterView view = make_view();
  CHECK(contains(format_nodes_text(view, {}, seconds(0)), "master - 0 0 3 connected 9"));
  view.members[1].health = Health::Failed;
  CHECK(contains(format_nodes_text(view, {}, seconds(0)), "master,fail - 0 0 3 disconnected"));
  view.members[1].health = Health::Suspect;
  CHECK(contains(format_nodes_text(view, {}, seconds(0)), "master,fail? - 0 0 3 disconnected"));
}

TEST_CASE("what is printed is read back the same") {
  ClusterView view = make_view();
  auto lines = parse_nodes_text(format_nodes_text(view, {}, seconds(0)));
  REQUIRE(lines.ok());
  REQUIRE(lines->size() == 2);
  const NodeLine& own = lines->at(0);
  CHECK(own.id == view.myself);
  CHECK(own.myself);
  CHECK(format_slot_ranges(own.slots) == "0-2,5");
  CHECK(own.migrating == std::vector<std::pair<Slot, NodeId>>{{Slot{5}, lines->at(1).id}});
  CHECK(own.importing == std::vector<std::pair<Slot, NodeId>>{{Slot{9}, lines->at(1).id}});
  CHECK(lines->at(1).address.hostname == "host.b");
}

TEST_CASE("info fields are read, headings are not") {
  auto fields =
      parse_info_fields("# Server\r\nredis_version:7.0.15\r\n\r\nempty:\r\na:b:c\nlast:1");
  CHECK(fields.size() == 4);
  CHECK(fields["redis_version"] == "7.0.15");
  CHECK(fields["empty"].empty());
  CHECK(fields["a"] == "b:c");
  CHECK(fields["last"] == "1");
  CHECK(parse_info_fields("").empty());
  CHECK(parse_info_fields("no colon here\r\n").empty());
}
