#pragma once

#include <cstddef>
#include <cstdint>

namespace slotd {

// Every maximum that more than one file must agree on. A peer, client or file that exceeds one is
// refused; none is ever silently clipped.

inline constexpr size_t kSlotCount = 16384;
inline constexpr size_t kSlotBitmapBytes = kSlotCount / 8;
inline constexpr size_t kNodeIdBytes = 20;

// The bus.
inline constexpr size_t kMaxFrameBytes = 1u << 20;           // one bus frame, header included
inline constexpr size_t kMaxMessagePayloadBytes = 60u << 10;  // what a sender puts into one message
inline constexpr size_t kMaxLinkQueueBytes = 8u << 20;       // a peer that reads slower is dropped
inline constexpr size_t kMaxNodes = 8192;                    // members of one cluster
inline constexpr size_t kMaxRemovals = 16384;                // removal records remembered
inline constexpr size_t kMaxHostnameBytes = 255;             // RFC 1035
inline constexpr size_t kMaxIpBytes = 45;                    // INET6_ADDRSTRLEN - 1
inline constexpr size_t kMaxDependencies = 64;               // "after" entries of one record

// The client port.
inline constexpr size_t kMaxBulkBytes = 512u << 20;    // proto-max-bulk-len, as Redis
inline constexpr size_t kMaxInlineBytes = 64u << 10;   // an inline command or a length line
inline constexpr size_t kMaxArguments = 1024u * 1024;  // elements of one command

static_assert(kSlotBitmapBytes == 2048);
static_assert(kMaxMessagePayloadBytes * 2 < kMaxFrameBytes);
static_assert(kMaxFrameBytes < kMaxLinkQueueBytes);
static_assert(kMaxNodes < 0xffff, "owners are kept as 16-bit indexes");

}  // namespace slotd
