#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/result.h"
#include "common/base/rng.h"
#include "common/base/time.h"
#include "common/node/node.h"
#include "daemon/client/client_registry.h"
#include "daemon/client/key_locks.h"
#include "daemon/client/keyspace.h"
#include "daemon/client/migration_client.h"
#include "daemon/client/topology_cache.h"

namespace slotd {

// CONFIG GET and CONFIG SET, by redis.conf's names.
class ConfigPort {
 public:
  virtual ~ConfigPort() = default;
  // Directives whose name matches the pattern, with their values.
  virtual std::vector<std::pair<std::string, std::string>> get(std::string_view glob) = 0;
  virtual Result<void> set(std::string_view name, std::string_view value) = 0;
  // Writes the running values to the file; an error says why not.
  virtual Result<void> rewrite() = 0;
};

// Directives of the client port; may be changed at any time.
struct ClientSettings {
  std::string requirepass;  // empty: nobody is asked
  size_t max_clients = 10000;
  Duration idle_timeout{};  // zero: never
  unsigned keepalive_seconds = 300;
  size_t max_output_bytes = 1u << 30;  // unread replies of one client; more closes it
  size_t max_input_bytes = 1u << 30;   // client-query-buffer-limit
  bool allow_reads_when_down = false;  // cluster-allow-reads-when-down
  uint16_t port = 0;                   // as bound; for INFO
  std::string config_file;
};

struct ClientStats {
  uint64_t connections_received = 0;
  uint64_t connections_rejected = 0;
  uint64_t commands = 0;
  uint64_t errors = 0;
  uint64_t bytes_in = 0;
  uint64_t bytes_out = 0;
  uint64_t keys_expired = 0;
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t protocol_errors = 0;
};

// CLIENT PAUSE: until then, nobody's commands run, or nobody's writes.
struct ClientPause {
  Instant until{};
  bool writes_only = false;
};

// All that a session needs of the world. One for all sessions; owned by whoever builds the server.
struct ClientContext {
  Node& node;
  Keyspace& keys;
  ConfigPort& config;
  MigrationClient& migration;
  std::function<Instant()> now;
  std::function<int64_t()> wall_us;  // microseconds since the Unix epoch
  std::function<void()> shut_down;   // SHUTDOWN; returns, the end comes from the loop
  Rng rng{0};
  Instant started{};
  std::string run_id = std::string(40, '0');

  ClientSettings settings{};
  ClientStats stats{};
  ClientRegistry clients{};
  KeyLocks locks{};
  ClientPause pause{};
  TopologyCache topology{};

  int64_t wall_ms() const { return wall_us() / 1000; }
  // What to add to an Instant to have the time since the Unix epoch.
  Duration unix_offset() const { return Duration(wall_us()) - now().time_since_epoch(); }
};

}  // namespace slotd
