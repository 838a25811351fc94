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

struct Prepared {
  Topology topology;   // as the target sees it
  MigrationPlan plan;  // points into the topology
};

// Planned on what the target itself says: it is the first to be told of each slot that has moved,
// so after an interrupted run no other node knows better what is left to do.
Result<Prepared> prepare(ClusterClient& client, const Options& options, const SlotSet& slots) {
  Result<Topology> seen = client.topology();
  if (!seen) return seen.error();
  Result<const NodeLine*> target = seen->find(options.to);
  if (!target) return target.error();
  std::string from;
  if (!options.from.empty()) {
    Result<const NodeLine*> source = seen->find(options.from);
    if (!source) return source.error();
    from = (*source)->id.hex();
  }
  Result<Topology> topology = client.topology(client.endpoint_of(**target));
  if (!topology) return topology.error();
  Result<MigrationPlan> plan = plan_migration(*topology, slots, from, (*target)->id.hex());
  if (!plan) return plan.error();
  std::vector<NodeLine> sources;
  for (const auto& [source, part] : plan->sources) {
    Result<Topology> own = client.topology(client.endpoint_of(*source));
    if (!own) return own.error();
    sources.push_back(own->myself());
  }
  Result<void> fits = check_open_slots(*plan, topology->myself(), sources);
  if (!fits) return fits.error();
  return Prepared{*std::move(topology), *std::move(plan)};
}

ExitCode move(const Cli& cli, ClusterClient& client, const Prepared& prepared, Json& result) {
  auto started = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  MigrationProgress last;
  last.slots_total = prepared.plan.count();
  Result<void> moved = migrate_classic(client, prepared.topology, prepared.plan,
                                       [&](const MigrationProgress& now) {
                                         last = now;
                                         cli.printer().progress(progress_line(now, elapsed()));
                                       });
  cli.printer().progress("");
  result["slots"] = last.slots_done;
  result["keys"] = last.keys_moved;
  result["seconds"] = elapsed();
  if (!moved) {
    result["error"] = moved.error().message;
    cli.printer().note("slotctl: " + moved.error().message);
    cli.printer().note(fmt::format("{} of {} slots are moved; the same command goes on from there.",
                                   last.slots_done, last.slots_total));
    return ExitCode::Partial;
  }
  cli.printer().say(fmt::format("Moved {} slots with {} keys in {:.1f} s.", last.slots_done,
                                last.keys_moved, elapsed()));
  return ExitCode::Done;
}

ExitCode run(const Cli& cli, const Options& options) {
  Result<SlotSet> slots = parse_slot_ranges(options.slots);
  if (!slots) return cli.fail(slots.error());
  Result<ClusterClient> client = cli.client();
  if (!client) return cli.fail(client.error());
  Result<Prepared> prepared = prepare(*client, options, *slots);
  if (!prepared) return cli.fail(prepared.error());
  const MigrationPlan& plan = prepared->plan;
  show(cli.printer(), plan);
  Json result = {{"moves", describe(plan)}, {"there_already", plan.there_already.count()}};
  // Slots that are there already may still be open on the other side.
  std::string question = plan.count() > 0 ? fmt::format("Move {} slots?", plan.count())
                                          : "Nothing to move. Close what is still open?";
  ExitCode code = ExitCode::Done;
  if (cli.confirmed(question, code)) code = move(cli, *client, *prepared, result);
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
