#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/base/time.h"

namespace slotd {

// One MIGRATE: keys with their payloads, on the way to another node.
struct Transfer {
  struct Key {
    std::string name;
    int64_t ttl_ms = 0;   // 0: does not expire
    std::string payload;  // as DUMP gives it
  };

  std::string host;
  uint16_t port = 0;
  Duration timeout{};
  std::string user;  // with `password`; empty: the default user
  std::string password;
  bool replace = false;
  std::vector<Key> keys;
};

// Carries transfers. `done` is called once, later, from the loop: per key, in order, nothing, the
// target's error ("ERR …"), or an error of code Io: the connection failed, and whether the key
// arrived is not known. When that goes for all keys the whole result is the error.
class MigrationClient {
 public:
  using KeyOutcome = Result<void>;
  using Done = std::function<void(Result<std::vector<KeyOutcome>>)>;

  virtual ~MigrationClient() = default;
  virtual void start(Transfer transfer, Done done) = 0;
};

}  // namespace slotd
