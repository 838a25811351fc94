#include "common/text/slots_reply.h"

#include <algorithm>

namespace slotd {
namespace {

struct Run {
  SlotRange range;
  size_t owner;  // index into members
};

void write_node(RespWriter& out, const ClusterView& view, const Member& member,
                std::string_view own_ip) {
  const NodeAddress& address = member.record->address;
  out.array(4);
  out.bulk(shown_ip(view, member, own_ip));
  out.integer(address.port);
  out.bulk(member.record->id.hex());
  out.map(address.hostname.empty() ? 0 : 1);
  if (address.hostname.empty()) return;
  out.bulk("hostname");
  out.bulk(address.hostname);
}

}  // namespace

std::string_view shown_ip(const ClusterView& view, const Member& member, std::string_view own_ip) {
  const std::string& ip = member.record->address.ip;
  return ip.empty() && member.record->id == view.myself ? own_ip : std::string_view(ip);
}

void write_slots_reply(RespWriter& out, const ClusterView& view, std::string_view own_ip) {
  std::vector<Run> runs;
  auto ranges = view.ranges_by_member();
  std::vector<std::vector<size_t>> replicas(view.members.size());
  for (size_t i = 0; i < view.members.size(); ++i) {
    const Member& member = view.members[i];
    if (shown_ip(view, member, own_ip).empty()) continue;
    for (SlotRange range : ranges[i]) runs.push_back({range, i});
    if (member.record->role != NodeRole::Replica || member.health == Health::Failed) continue;
    const Member* master = view.find(member.record->master);
    if (master != nullptr) replicas[static_cast<size_t>(master - view.members.data())].push_back(i);
  }
  std::sort(runs.begin(), runs.end(),
            [](const Run& a, const Run& b) { return a.range.first < b.range.first; });
  out.array(runs.size());
  for (const Run& run : runs) {
    out.array(3 + replicas[run.owner].size());
    out.integer(run.range.first);
    out.integer(run.range.last);
    write_node(out, view, view.members[run.owner], own_ip);
    for (size_t replica : replicas[run.owner]) {
      write_node(out, view, view.members[replica], own_ip);
    }
  }
}

}  // namespace slotd
