#include "common/text/cluster_info_text.h"

#include <fmt/format.h>

namespace slotd {
namespace {

// Kinds that never occurred are left out, as in Redis.
std::string message_lines(std::span<const BusCount> kinds) {
  std::string text;
  uint64_t sent = 0;
  uint64_t received = 0;
  for (const BusCount& kind : kinds) {
    if (kind.sent > 0) {
      text += fmt::format("cluster_stats_messages_{}_sent:{}\r\n", kind.kind, kind.sent);
    }
    sent += kind.sent;
  }
  text += fmt::format("cluster_stats_messages_sent:{}\r\n", sent);
  for (const BusCount& kind : kinds) {
    if (kind.received > 0) {
      text += fmt::format("cluster_stats_messages_{}_received:{}\r\n", kind.kind, kind.received);
    }
    received += kind.received;
  }
  return text + fmt::format("cluster_stats_messages_received:{}\r\n", received);
}

std::string byte_lines(std::span<const BusCount> kinds) {
  std::string text;
  for (const BusCount& kind : kinds) {
    if (kind.sent + kind.received == 0) continue;
    text += fmt::format("cluster_bus_bytes_{}_sent:{}\r\ncluster_bus_bytes_{}_received:{}\r\n",
                        kind.kind, kind.sent_bytes, kind.kind, kind.received_bytes);
  }
  return text;
}

}  // namespace

std::string_view standing_text(Standing standing) {
  switch (standing) {
    case Standing::Ok:
      return "ok";
    case Standing::Removed:
      return "removed from the cluster by an operator";
    case Standing::Joining:
      return "waiting to hear from enough of the cluster";
    case Standing::Minority:
      return "cut off from the majority of masters";
    case Standing::SlotsUncovered:
      return "not all slots have a live owner";
  }
  return "unknown";
}

std::string cluster_info_text(const ClusterView& view, std::span<const BusCount> kinds,
                              std::string_view save_error) {
  ClusterView::Totals totals = view.totals();
  std::string text = fmt::format(
      "cluster_state:{}\r\ncluster_slots_assigned:{}\r\ncluster_slots_ok:{}\r\n"
      "cluster_slots_pfail:{}\r\ncluster_slots_fail:{}\r\ncluster_known_nodes:{}\r\n"
      "cluster_size:{}\r\ncluster_current_epoch:{}\r\ncluster_my_epoch:{}\r\n",
      view.standing == Standing::Ok ? "ok" : "fail", totals.assigned, totals.ok, totals.suspect,
      totals.failed, view.members.size(), totals.masters_with_slots, view.current_epoch.value,
      view.self().record->config_epoch.value);
  text += message_lines(kinds);
  text += "total_cluster_links_buffer_limit_exceeded:0\r\n";
  text += fmt::format("cluster_view_digest:{:016x}\r\ncluster_standing:{}\r\n", view.digest,
                      standing_text(view.standing));
  text += fmt::format("cluster_open_slots:{}\r\n", view.migrating.size() + view.importing.size());
  text += byte_lines(kinds);
  text += fmt::format("cluster_state_saved:{}\r\n", save_error.empty() ? "yes" : save_error);
  return text;
}

}  // namespace slotd
