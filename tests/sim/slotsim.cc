// slotsim: runs simulated lives of a cluster from seeds and checks rules R1 to R8.
//   slotsim --seeds 2000 [--first 1] [--nodes N] [--operations 200] [--formed]
//   slotsim --seed 4711 --trace
// Exit code: 0 all rules held, 1 a rule was broken (the seed is printed), 2 usage.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "common/sim/sim_run.h"

namespace {

int report(const slotd::SimRunOptions& options, const slotd::SimRunResult& result) {
  if (!result.violation) return 0;
  std::printf("seed %llu, %zu nodes, operation %zu, %.3f s: %s\n",
              static_cast<unsigned long long>(options.seed), result.nodes, result.operation,
              static_cast<double>(slotd::to_ms(result.at)) / 1000.0, result.violation->c_str());
  std::printf("replay: slotsim --seed %llu --operations %zu%s --trace\n",
              static_cast<unsigned long long>(options.seed), options.operations,
              options.formed ? " --formed" : "");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Simulated lives of a slotd cluster, checked against the rules of ownership"};
  uint64_t seed = 0;
  uint64_t first = 1;
  uint64_t seeds = 100;
  bool trace = false;
  slotd::SimRunOptions options;
  app.add_option("--seed", seed, "Run this seed only");
  app.add_option("--first", first, "First seed of many");
  app.add_option("--seeds", seeds, "How many seeds");
  app.add_option("--nodes", options.nodes, "Nodes; 0 draws 5 to 20");
  app.add_option("--operations", options.operations, "Operations and faults in one life");
  app.add_flag("--formed", options.formed, "Start as a cluster that has already met");
  app.add_flag("--trace", trace, "Print each operation and event");
  CLI11_PARSE(app, argc, argv);
  if (trace) options.trace = [](const std::string& line) { std::puts(line.c_str()); };
  uint64_t from = seed != 0 ? seed : first;
  uint64_t to = seed != 0 ? seed : first + seeds - 1;
  uint64_t broken = 0;
  uint64_t events = 0;
  for (options.seed = from; options.seed <= to; ++options.seed) {
    slotd::SimRunResult result = slotd::run_simulation(options);
    events += result.events;
    if (report(options, result) != 0 && ++broken >= 10) break;
  }
  std::printf("%llu seeds, %llu events, %llu broken\n",
              static_cast<unsigned long long>(to - from + 1),
              static_cast<unsigned long long>(events), static_cast<unsigned long long>(broken));
  return broken == 0 ? 0 : 1;
}
