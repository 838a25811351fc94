#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "common/base/result.h"

namespace slotd {

// Daemons on this machine that slotctl started and remembers in a directory (local.json), one
// subdirectory each. A process is known by its id and its start time, so that a number that the
// system gave to somebody else since is never taken for one of ours.
class LocalCluster {
 public:
  struct Daemon {
    pid_t pid = 0;
    uint64_t started = 0;  // clock ticks since boot, from /proc
    uint16_t port = 0;
    uint16_t bus_port = 0;
    std::string directory;

    bool running() const;
  };

  // $SLOTD_LOCAL_DIR, or slotd below $XDG_STATE_HOME, or ~/.local/state/slotd.
  static std::string default_directory();
  static Result<LocalCluster> load(const std::string& directory);
  // Starts `count` daemons on free ports (or from `first_port` on) and waits until each answers.
  // What was started is ended again when one does not.
  static Result<LocalCluster> start(const std::string& directory, size_t count, uint16_t first_port,
                                    const std::string& program,
                                    const std::vector<std::string>& extra);
  // Ends them; `forget` removes their directories too. Returns how many were running.
  Result<size_t> stop(bool forget);
  // Starts again what is not running, from its directory, on its ports.
  Result<void> restart(const std::string& program, const std::vector<std::string>& extra);

  const std::string& directory() const { return directory_; }
  const std::vector<Daemon>& daemons() const { return daemons_; }
  const Daemon* first_running() const;

 private:
  explicit LocalCluster(std::string directory) : directory_(std::move(directory)) {}
  static bool may_signal(const Daemon& daemon);
  Result<void> save() const;
  static Result<Daemon> launch(const std::string& program, const Daemon& wanted,
                               const std::vector<std::string>& extra);

  std::string directory_;
  std::vector<Daemon> daemons_;
};

}  // namespace slotd
