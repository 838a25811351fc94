#include "common/text/shards_reply.h"

#include <vector>

#include "common/text/slots_reply.h"

namespace slotd {
namespace {

void write_field(RespWriter& out, std::string_view name, std::string_view value) {
  out.bulk(name);
  out.bulk(value);
}

void write_node(RespWriter& out, const ClusterView& view, const Member& member,
                std::string_view own_ip) {
  const NodeRecord& record = *member.record;
  std::string_view ip = shown_ip(view, member, own_ip);
  out.map(record.address.hostname.empty() ? 7 : 8);
  write_field(out, "id", record.id.hex());
  out.bulk("port");
  out.integer(record.address.port);
  write_field(out, "ip", ip);
  write_field(out, "endpoint", ip);
  if (!record.address.hostname.empty()) write_field(out, "hostname", record.address.hostname);
  write_field(out, "role", record.role == NodeRole::Master ? "master" : "replica");
  out.bulk("replication-offset");
  out.integer(0);
  write_field(out, "health", member.health == Health::Failed ? "fail" : "online");
}

}  // namespace

void write_shards_reply(RespWriter& out, const ClusterView& view, std::string_view own_ip) {
  auto ranges = view.ranges_by_member();
  std::vector<size_t> masters;
  for (size_t i = 0; i < view.members.size(); ++i) {
    bool master = view.members[i].record->role == NodeRole::Master;
    if (master && !shown_ip(view, view.members[i], own_ip).empty()) masters.push_back(i);
  }
  out.array(masters.size());
  for (size_t i : masters) {
    std::vector<const Member*> nodes{&view.members[i]};
    for (const Member& member : view.members) {
      bool follows = member.record->role == NodeRole::Replica &&
                     member.record->master == view.members[i].record->id;
      if (follows && !shown_ip(view, member, own_ip).empty()) nodes.push_back(&member);
    }
    out.map(2);
    out.bulk("slots");
    out.array(ranges[i].size() * 2);
    for (SlotRange range : ranges[i]) {
      out.integer(range.first);
      out.integer(range.last);
    }
    out.bulk("nodes");
    out.array(nodes.size());
    for (const Member* node : nodes) write_node(out, view, *node, own_ip);
  }
}

}  // namespace slotd
