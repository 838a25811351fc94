#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "common/cluster/message.h"

namespace slotd {

std::string_view message_kind_name(MessageKind kind);

// Messages and framed bytes of one kind in one direction.
struct TrafficCount {
  uint64_t messages = 0;
  uint64_t bytes = 0;

  void add(size_t frame_bytes) { ++messages, bytes += frame_bytes; }
};

// What went over the bus with one peer, or with all. Sizes are framed bytes: payload of TCP, so the
// totals equal what a capture on the wire counts.
struct Traffic {
  std::array<TrafficCount, kMessageKinds> sent{};
  std::array<TrafficCount, kMessageKinds> received{};
  size_t last_heartbeat_sent = 0;  // framed bytes
  size_t last_heartbeat_received = 0;
  uint64_t myslots_sent = 0;      // records with myslots that went out …
  uint64_t myslots_sent_bytes = 0;  // … and what their myslots cost as sent; raw: 2048 each
  std::optional<MySlotsEncoding> last_encoding;  // of the last myslots sent or received
  size_t last_myslots_bytes = 0;

  TrafficCount total_sent() const;
  TrafficCount total_received() const;
};

}  // namespace slotd
