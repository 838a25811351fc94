#include "common/text/heartbeats_reply.h"

#include "common/base/limits.h"

namespace slotd {
namespace {

void write_number(RespWriter& out, std::string_view name, uint64_t value) {
  out.bulk(name);
  out.integer(static_cast<int64_t>(value));
}

BusCount sum(std::span<const BusCount> kinds) {
  BusCount total;
  for (const BusCount& kind : kinds) {
    total.sent += kind.sent;
    total.sent_bytes += kind.sent_bytes;
    total.received += kind.received;
    total.received_bytes += kind.received_bytes;
  }
  return total;
}

uint64_t mean(uint64_t bytes, uint64_t messages) {
  return messages == 0 ? 0 : bytes / messages;
}

void write_kinds(RespWriter& out, std::span<const BusCount> kinds) {
  out.bulk("kinds");
  out.array(kinds.size());
  for (const BusCount& kind : kinds) {
    out.map(5);
    out.bulk("kind");
    out.bulk(kind.kind);
    write_number(out, "sent", kind.sent);
    write_number(out, "sent-bytes", kind.sent_bytes);
    write_number(out, "received", kind.received);
    write_number(out, "received-bytes", kind.received_bytes);
  }
}

void write_row(RespWriter& out, const HeartbeatRow& row) {
  const BusCount& beats = row.heartbeats;
  BusCount total = sum(row.kinds);
  out.map(19);
  out.bulk("peer");
  out.bulk(row.peer);
  write_number(out, "heartbeats-sent", beats.sent);
  write_number(out, "heartbeats-received", beats.received);
  write_number(out, "heartbeat-bytes-sent", beats.sent_bytes);
  write_number(out, "heartbeat-bytes-received", beats.received_bytes);
  write_number(out, "last-heartbeat-sent", row.last_heartbeat_sent);
  write_number(out, "last-heartbeat-received", row.last_heartbeat_received);
  write_number(out, "mean-heartbeat-sent", mean(beats.sent_bytes, beats.sent));
  write_number(out, "mean-heartbeat-received", mean(beats.received_bytes, beats.received));
  write_number(out, "other-sent", total.sent - beats.sent);
  write_number(out, "other-received", total.received - beats.received);
  write_number(out, "bytes-sent", total.sent_bytes);
  write_number(out, "bytes-received", total.received_bytes);
  write_number(out, "myslots-sent", row.myslots_sent);
  write_number(out, "myslots-bytes-sent", row.myslots_bytes_sent);
  out.bulk("last-encoding");
  out.bulk(row.last_encoding);
  write_number(out, "last-myslots-bytes", row.last_myslots_bytes);
  write_number(out, "raw-myslots-bytes", kSlotBitmapBytes);
  write_kinds(out, row.kinds);
}

}  // namespace

void write_heartbeats_reply(RespWriter& out, std::span<const HeartbeatRow> rows) {
  out.array(rows.size());
  for (const HeartbeatRow& row : rows) write_row(out, row);
}

}  // namespace slotd
