#pragma once

#include <string>

#include "common/base/bytes.h"
#include "common/base/result.h"
#include "common/cluster/link.h"

namespace slotd {

// What a Node asks of the world. The daemon gives it libuv and the disk, the simulator a virtual
// network and a disk that forgets. All calls are made from the thread that drives the Node.

// Links are byte streams that keep order and either deliver or break. For each dial, and for each
// inbound link (whose id the transport makes, see link.h), the driver reports up, bytes and down to
// Node; after down, or after close, the id is never used again.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual void dial(LinkId link, const std::string& ip, uint16_t bus_port) = 0;
  // Queues a whole frame. A link that is gone or over its queue limit drops it (and goes down).
  virtual void send(LinkId link, ByteView frame) = 0;
  // Sends what is queued, then closes. No down is reported for it.
  virtual void close(LinkId link) = 0;
};

// One durable blob. `save` returns after the bytes and the name are on disk (or with the reason),
// and a crash at any moment leaves either the old blob or the new one.
class StateStore {
 public:
  virtual ~StateStore() = default;
  virtual Result<void> save(ByteView state) = 0;
};

}  // namespace slotd
