#include "daemon/client/bus_traffic.h"

namespace slotd {
namespace {

BusCount count_of(const Traffic& traffic, MessageKind kind) {
  auto index = static_cast<size_t>(kind);
  return {message_kind_name(kind), traffic.sent[index].messages, traffic.sent[index].bytes,
          traffic.received[index].messages, traffic.received[index].bytes};
}

HeartbeatRow row_of(std::string peer, const Traffic& traffic) {
  HeartbeatRow row;
  row.peer = std::move(peer);
  row.heartbeats = count_of(traffic, MessageKind::Heartbeat);
  row.last_heartbeat_sent = traffic.last_heartbeat_sent;
  row.last_heartbeat_received = traffic.last_heartbeat_received;
  row.myslots_sent = traffic.myslots_sent;
  row.myslots_bytes_sent = traffic.myslots_sent_bytes;
  if (traffic.last_encoding) row.last_encoding = encoding_name(*traffic.last_encoding);
  row.last_myslots_bytes = traffic.last_myslots_bytes;
  row.kinds = bus_counts(traffic);
  return row;
}

}  // namespace

std::vector<BusCount> bus_counts(const Traffic& traffic) {
  std::vector<BusCount> counts;
  for (size_t kind = 1; kind < kMessageKinds; ++kind) {
    counts.push_back(count_of(traffic, static_cast<MessageKind>(kind)));
  }
  return counts;
}

std::vector<HeartbeatRow> heartbeat_rows(const Node& node) {
  std::vector<HeartbeatRow> rows{row_of("all", node.traffic())};
  for (const auto& [id, traffic] : node.traffic_by_peer())
    rows.push_back(row_of(id.hex(), traffic));
  return rows;
}

}  // namespace slotd
