#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "common/cluster/cluster_view.h"
#include "common/resp/writer.h"

namespace slotd {

// Replies that are a function of the view alone, kept until the view changes: clients ask for them
// in herds, after each MOVED.
class TopologyCache {
 public:
  enum class Kind : uint8_t { Slots, Shards };
  // Writes the reply for the view. `own_ip` is where the client reached us, for a node that was
  // told no address of its own.
  using Write = void (*)(RespWriter&, const ClusterView&, std::string_view own_ip);

  const std::string& get(Kind kind, RespVersion version, const ClusterView& view,
                         std::string_view own_ip, Write write);

 private:
  struct Entry {
    uint64_t revision = 0;
    std::string own_ip;
    std::string reply;
  };
  std::array<std::array<Entry, 2>, 2> entries_;  // by kind and version
};

}  // namespace slotd
