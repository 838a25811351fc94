#pragma once

#include <memory>
#include <string>

#include "daemon/bus/bus.h"
#include "daemon/client/client_context.h"
#include "daemon/client/client_port.h"
#include "daemon/client/migration_client_uv.h"
#include "daemon/config.h"
#include "daemon/store/file_state_store.h"
#include "daemon/store/memory_store.h"
#include "daemon/uv/loop.h"
#include "daemon/uv/signal.h"

namespace slotd {

// redis.conf's levels on the process's log.
void apply_log_level(const std::string& level);

// Everything that one daemon is, in the order in which it must not be taken down. Wires the parts
// together and does nothing else.
class Server {
 public:
  // Opens ports and files, reads the state. The error is for the operator; nothing is left running.
  static Result<std::unique_ptr<Server>> start(Config config);
  ~Server();

  // Until a signal or SHUTDOWN; saves what is not saved.
  void run();

 private:
  class LiveConfig;

  Server(Config config, FileStateStore state_store);

  Result<PersistentState> read_state();
  void start_node(PersistentState state);
  Result<void> open_clients();
  void settings_changed();
  ClientSettings client_settings() const;
  NodeAddress announced_address() const;
  void log_event(const ClusterEvent& event);
  Result<void> write_pidfile() const;

  Config config_;
  FileStateStore state_store_;
  Loop loop_;
  MemoryStore memory_;
  Keyspace keys_{memory_};
  Bus bus_{loop_};
  std::unique_ptr<LiveConfig> live_config_;
  MigrationClientUv migration_{loop_};
  std::unique_ptr<Node> node_;
  std::unique_ptr<ClientContext> context_;
  std::unique_ptr<ClientPort> clients_;
  std::unique_ptr<SignalWatcher> signals_;
};

}  // namespace slotd
