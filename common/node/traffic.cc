#include "common/node/traffic.h"

namespace slotd {
namespace {

TrafficCount sum(const std::array<TrafficCount, kMessageKinds>& counts) {
  TrafficCount total;
  for (const TrafficCount& count : counts) {
    total.messages += count.messages;
    total.bytes += count.bytes;
  }
  return total;
}

}  // namespace

std::string_view message_kind_name(MessageKind kind) {
  switch (kind) {
    case MessageKind::Hello: return "hello";
    case MessageKind::Welcome: return "welcome";
    case MessageKind::Refuse: return "refuse";
    case MessageKind::Heartbeat: return "heartbeat";
    case MessageKind::Compare: return "compare";
    case MessageKind::Probe: return "probe";
    case MessageKind::Ballot: return "ballot";
  }
  return "unknown";
}

TrafficCount Traffic::total_sent() const { return sum(sent); }
TrafficCount Traffic::total_received() const { return sum(received); }

}  // namespace slotd
