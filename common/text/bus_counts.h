#pragma once

#include <cstdint>
#include <string_view>

namespace slotd {

// Messages and framed bytes of one kind of bus message, both ways. `kind` lives for ever.
struct BusCount {
  std::string_view kind;
  uint64_t sent = 0;
  uint64_t sent_bytes = 0;
  uint64_t received = 0;
  uint64_t received_bytes = 0;
};

}  // namespace slotd
