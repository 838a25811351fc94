#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/sim/checker.h"

namespace slotd {

// One random life of a cluster: operations and faults drawn from the seed, then all faults end and
// the rules must hold and the views agree within a bound.
struct SimRunOptions {
  uint64_t seed = 1;
  size_t nodes = 0;  // 0: drawn, 5 … 20
  size_t operations = 200;
  bool formed = false;  // start as a cluster that has met already
  // A line for each operation, and for each event of each node.
  std::function<void(const std::string&)> trace;
};

struct SimRunResult {
  std::optional<std::string> violation;
  Instant at{};          // virtual time of the violation, or of the end
  size_t operation = 0;  // how many had run
  size_t nodes = 0;
  uint64_t events = 0;
};

SimRunResult run_simulation(const SimRunOptions& options);

}  // namespace slotd
