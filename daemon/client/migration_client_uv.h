#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daemon/client/migration_client.h"
#include "daemon/uv/loop.h"
#include "daemon/uv/timer.h"

namespace slotd {

// MigrationClient over libuv. A connection carries one transfer at a time, as one pipeline; it is
// kept for the next one to the same target, and closed when none comes for a while. Destroying the
// client forgets running transfers without an answer.
class MigrationClientUv final : public MigrationClient {
 public:
  explicit MigrationClientUv(Loop& loop);
  ~MigrationClientUv() override;

  void start(Transfer transfer, Done done) override;
  size_t connections() const { return connections_.size(); }

 private:
  class Connection;

  void close_later(Connection& connection);

  Loop& loop_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::unique_ptr<Connection>> closing_;  // until no callback of theirs is on the stack
  Timer sweep_;
};

}  // namespace slotd
