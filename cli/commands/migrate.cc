#include "cli/classic_migration.h"
#include "cli/commands/commands.h"
#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

struct Options {
  std::string slots;
  std::string from;
  std::string to;
};

Json describe(const MigrationPlan& plan) {
  Json moves = Json::array();
  for (const auto& [source, slots] : plan.sources) {
    moves.push_back({{"from", source->id.hex()},
                     {"to", plan.target->id.hex()},
                     {"count", slots.count()},
                     {"slots", format_slot_ranges(slots)}});
  }
  return moves;
}

void show(const Printer& printer, const MigrationPlan& plan) {
  for (const auto& [source, slots] : plan.sources) {
    printer.say(fmt::format("{} slots from {}:{} to {}:{}: {}", slots.count(), source->address.ip,
                            source->address.port, plan.target->address.ip,
                            plan.target->address.port, format_slot_ranges(slots)));
  }
  if (!plan.there_already.empty()) {
    printer.say(fmt::format("{} slots are there already", plan.there_already.count()));
  }
}

std::string progress_line(const MigrationProgress& progress, double elapsed) {
  double rate = elapsed > 0 ? static_cast<double>(progress.slots_done) / elapsed : 0;
  double left =
      rate > 0 ? static_cast<double>(progress.slots_total - progress.slots_done) / rate : 0;
  return fmt::format("{}/{} slots, {} keys, {:.0f} slots/s, {:.0f} s left", progress.slots_done,
                     progress.slots_total, progress.keys_moved, rate, left);
}

ExitCode run(const Cli& cli, const Options& options) {
  Result<SlotSet> slots = parse_slot_ranges(options.slots);
  if (!slots) return cli.fail(slots.error());
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Topology> topology = client->topology();
  if (!topology) return cli.fail(topology.error());
  Result<MigrationPlan> plan = plan_migration(*topology, *slots, options.from, options.to);
  if (!plan) return cli.fail(plan.error());
  show(cli.printer(), *plan);
  Json result = {{"moves", describe(*plan)}};
  ExitCode code = ExitCode::Done;
  if (plan->count() > 0 && cli.confirmed(fmt::format("Move {} slots?", plan->count()), code)) {
    auto started = std::chrono::steady_clock::now();
    auto elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    MigrationProgress last;
    Result<void> moved =
        migrate_classic(*client, *topology, *plan, [&](const MigrationProgress& now) {
          last = now;
          cli.printer().progress(progress_line(now, elapsed()));
        });
    cli.printer().progress("");
    if (!moved) {
      cli.fail(moved.error());
      cli.printer().note(
          fmt::format("{} of {} slots are moved; the same command goes on from there.",
                      last.slots_done, last.slots_total));
      return ExitCode::Partial;
    }
    cli.printer().say(fmt::format("Moved {} slots with {} keys in {:.1f} s.", last.slots_done,
                                  last.keys_moved, elapsed()));
    result["keys"] = last.keys_moved;
    result["seconds"] = elapsed();
  }
  cli.printer().document(result);
  return code;
}

}  // namespace

void add_migrate(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      cli.command(app, "migrate", "Move slots, with their keys, while clients go on",
                  "slotctl migrate 0-99,200 --from 127.0.0.1:7000 --to 127.0.0.1:7001 --yes",
                  [&cli, options] { return run(cli, *options); });
  command->add_option("slots", options->slots, "Slots, as 0-99,200")->required();
  command->add_option("--from", options->from,
                      "Only slots of this node (default: whoever owns them)");
  command->add_option("--to", options->to, "Id, start of an id, or host:port")->required();
  cli.changes(command);
}

}  // namespace slotd
