#include <catch2/catch.hpp>

#include "common/resp/value.h"
#include "common/text/cluster_info_text.h"
#include "common/text/heartbeats_reply.h"
#include "common/text/links_reply.h"
#include "common/text/shards_reply.h"
#include "common/text/slots_reply.h"

using namespace slotd;

namespace {

NodeId id_of(uint8_t n) {
  NodeId id;
  id.bytes.fill(n);
  return id;
}

Member member(uint8_t n, const std::string& ip, const std::string& hostname = "") {
  auto record = std::make_shared<NodeRecord>();
  record->id = id_of(n);
  record->address = {ip, static_cast<uint16_t>(7000 + n), static_cast<uint16_t>(17000 + n),
                     hostname};
  return {record, Health::Ok, 0};
}

Member replica(uint8_t n, uint8_t master, Health health) {
  Member result = member(n, "10.0.0." + std::to_string(n));
  auto record = std::make_shared<NodeRecord>(*result.record);
  record->role = NodeRole::Replica;
  record->master = id_of(master);
  return {record, health, 0};
}

// 1: slots 0 and 2, a named host; 2: slot 1; 3: no address; 4 and 5: replicas of 1, 5 failed; 6: no
// slot.
ClusterView make_view() {
  ClusterView view;
  view.myself = id_of(2);
  view.members = {
      member(1, "10.0.0.1", "host"), member(2, "10.0.0.2"),         member(3, ""),
      replica(4, 1, Health::Ok),     replica(5, 1, Health::Failed), member(6, "10.0.0.6")};
  view.owners.fill(ClusterView::kNobody);
  view.owners[0] = view.owners[2] = 0;
  view.owners[1] = 1;
  view.owners[3] = 2;
  view.members[0].slot_count = 2;
  view.members[1].slot_count = view.members[2].slot_count = 1;
  return view;
}

template <typename Write>
Value rendered(Write write) {
  std::string bytes;
  RespWriter writer(bytes, RespVersion::Resp3);
  write(writer);
  Value value;
  size_t consumed = 0;
  REQUIRE(parse_reply(bytes, value, consumed) == ParseStatus::Done);
  REQUIRE(consumed == bytes.size());
  return value;
}

}  // namespace

TEST_CASE("SLOTS: runs ascending, live replicas, host names as metadata", "[text]") {
  ClusterView view = make_view();
  Value value = rendered([&](RespWriter& out) { write_slots_reply(out, view, ""); });
  REQUIRE(value.elements.size() == 3);
  for (int64_t i = 0; i < 3; ++i) {
    CHECK(value.elements[static_cast<size_t>(i)].elements[0].integer == i);
  }
  const std::vector<Value>& run = value.elements[0].elements;
  REQUIRE(run.size() == 4);
  CHECK(run[2].elements[0].text == "10.0.0.1");
  CHECK(run[2].elements[1].integer == 7001);
  CHECK(run[2].elements[3].elements[1].text == "host");
  CHECK(run[3].elements[2].text == id_of(4).hex());
  CHECK(run[3].elements[3].elements.empty());
}

TEST_CASE("SHARDS: a master without slots is one too, a node without address is not", "[text]") {
  ClusterView view = make_view();
  Value value = rendered([&](RespWriter& out) { write_shards_reply(out, view, ""); });
  REQUIRE(value.elements.size() == 3);
  const std::vector<Value>& first = value.elements[0].elements;
  CHECK(first[1].elements.size() == 4);
  REQUIRE(first[3].elements.size() == 3);
  CHECK(first[3].elements[0].elements[8].text == "hostname");
  CHECK(first[3].elements[2].elements.back().text == "fail");
  CHECK(value.elements[2].elements[1].elements.empty());
}

TEST_CASE("a node that was told no address is shown by the socket's", "[text]") {
  ClusterView view = make_view();
  view.myself = id_of(3);
  Value value = rendered([&](RespWriter& out) { write_slots_reply(out, view, "10.9.9.9"); });
  REQUIRE(value.elements.size() == 4);
  CHECK(value.elements[3].elements[2].elements[0].text == "10.9.9.9");
}

TEST_CASE("LINKS: six fields for each link that is up", "[text]") {
  std::vector<LinkStatus> links(2);
  links[0] = {id_of(1), true, true, Instant(seconds(5)), {}, {}};
  Value value =
      rendered([&](RespWriter& out) { write_links_reply(out, links, Duration(seconds(100))); });
  REQUIRE(value.elements.size() == 1);
  const std::vector<Value>& fields = value.elements[0].elements;
  REQUIRE(fields.size() == 12);
  CHECK(fields[1].text == "to");
  CHECK(fields[3].text == id_of(1).hex());
  CHECK(fields[5].integer == 105000);
}

TEST_CASE("HEARTBEATS: sums and means", "[text]") {
  HeartbeatRow row;
  row.peer = "all";
  row.heartbeats = {"heartbeat", 10, 520, 0, 0};
  row.kinds = {{"hello", 1, 100, 2, 300}, row.heartbeats};
  Value value = rendered(
      [&](RespWriter& out) { write_heartbeats_reply(out, std::vector<HeartbeatRow>{row}); });
  auto field = [&](std::string_view name) {
    const std::vector<Value>& fields = value.elements[0].elements;
    for (size_t i = 0; i < fields.size(); i += 2) {
      if (fields[i].text == name) return fields[i + 1].integer;
    }
    return int64_t{-1};
  };
  CHECK(field("mean-heartbeat-sent") == 52);
  CHECK(field("mean-heartbeat-received") == 0);
  CHECK(field("other-sent") == 1);
  CHECK(field("bytes-sent") == 620);
  CHECK(field("bytes-received") == 300);
  CHECK(field("raw-myslots-bytes") == 2048);
}

TEST_CASE("INFO says why a node does not serve", "[text]") {
  ClusterView view = make_view();
  view.standing = Standing::Minority;
  std::string text = cluster_info_text(view, {}, "disk full");
  CHECK(text.starts_with("cluster_state:fail\r\ncluster_slots_assigned:4\r\n"));
  CHECK(text.find("cluster_standing:cut off from the majority of masters\r\n") !=
        std::string::npos);
  CHECK(text.ends_with("cluster_state_saved:disk full\r\n"));
}
