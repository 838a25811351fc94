#include "cli/commands/commands.h"
#include "common/sim/figures.h"
#include "common/slot/slot_ranges.h"

namespace slotd {
namespace {

struct Options {
  size_t nodes = 100;
  double minutes = 1;
  std::string kill = "49%";
  std::string move = "0-99";
  int64_t node_timeout_ms = 15000;
  double delay_ms = 1;
  uint64_t seed = 1;
};

// "10%", or a count of nodes.
Result<double> parse_share(const std::string& text, size_t nodes) {
  size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  bool percent = used > 0 && text.substr(used) == "%";
  if (used == 0 || (!percent && used != text.size())) {
    return make_error(ErrorCode::InvalidArgument,
                      "--kill {}: wants a share such as 10%, or a count of nodes", text);
  }
  double share = percent ? value / 100 : value / static_cast<double>(nodes);
  if (!(share >= 0 && share < 0.5)) {
    return make_error(ErrorCode::InvalidArgument,
                      "--kill {}: without a majority of masters nobody can be declared failed; "
                      "less than half can be killed",
                      text);
  }
  return share;
}

Result<FigureOptions> figure_options(const Options& options) {
  Result<double> share = parse_share(options.kill, options.nodes);
  if (!share) return share.error();
  Result<SlotSet> moved = parse_slot_ranges(options.move);
  if (!moved) return moved.error();
  FigureOptions figures;
  figures.nodes = options.nodes;
  figures.seed = options.seed;
  figures.node_timeout = milliseconds(options.node_timeout_ms);
  figures.delay = Duration(static_cast<int64_t>(options.delay_ms * 1000));
  figures.idle = Duration(static_cast<int64_t>(options.minutes * 60e6));
  figures.killed_share = *share;
  figures.moved = *moved;
  return figures;
}

std::string span_text(const std::optional<Duration>& span) {
  return span ? fmt::format("{} ms", to_ms(*span)) : "never";
}
Json span_json(const std::optional<Duration>& span) {
  return span ? Json(to_ms(*span)) : Json(nullptr);
}

std::string kinds_table(const Figures& figures) {
  Table table({"idle, by kind", "messages/node/s", "bytes/node/s", "mean", "largest"});
  double node_seconds = static_cast<double>(figures.nodes) * figures.idle_seconds;
  for (size_t kind = 1; kind < kMessageKinds; ++kind) {
    const MessageFigures& sent = figures.idle[kind];
    if (sent.messages == 0) continue;
    auto messages = static_cast<double>(sent.messages);
    auto bytes = static_cast<double>(sent.bytes);
    table.add({std::string(message_kind_name(static_cast<MessageKind>(kind))),
               fmt::format("{:.2f}", messages / node_seconds),
               fmt::format("{:.1f}", bytes / node_seconds), fmt::format("{:.1f}", bytes / messages),
               std::to_string(sent.largest)});
  }
  table.add({"total", "", fmt::format("{:.1f}", figures.idle_bytes_per_node_second()), "", ""});
  return table.text();
}

std::string spans_table(const Figures& figures, const SlotSet& moved) {
  Table table({"known to all after", "time"});
  table.add({fmt::format("a change of {} slots", moved.count()), span_text(figures.slot_change)});
  table.add({"a join", span_text(figures.join)});
  table.add({"the failure of one master", span_text(figures.failure)});
  table.add({"its return, serving everywhere", span_text(figures.comeback)});
  table.add({fmt::format("the failure of {} masters at once", figures.killed),
             span_text(figures.mass_failure)});
  return table.text();
}

Json kinds_json(const Figures& figures) {
  Json kinds = Json::object();
  double node_seconds = static_cast<double>(figures.nodes) * figures.idle_seconds;
  for (size_t kind = 1; kind < kMessageKinds; ++kind) {
    const MessageFigures& sent = figures.idle[kind];
    kinds[std::string(message_kind_name(static_cast<MessageKind>(kind)))] = {
        {"messages_per_node_second", static_cast<double>(sent.messages) / node_seconds},
        {"bytes_per_node_second", static_cast<double>(sent.bytes) / node_seconds},
        {"largest_bytes", sent.largest}};
  }
  return kinds;
}

ExitCode run(const Cli& cli, const Options& options) {
  Result<FigureOptions> wanted = figure_options(options);
  if (!wanted) return cli.fail(wanted.error());
  Figures figures = measure_figures(*wanted);
  cli.printer().say(fmt::format(
      "{} nodes, {} links a node, node timeout {} ms, {} ms a way, {} min idle, in virtual time\n",
      figures.nodes, figures.links_per_node, options.node_timeout_ms, options.delay_ms,
      options.minutes));
  cli.printer().say(kinds_table(figures));
  cli.printer().say(spans_table(figures, wanted->moved));
  cli.printer().say(fmt::format("largest message {} B; a member takes {:.0f} B of a node's memory",
                                figures.largest_message(), figures.view_bytes_per_member));
  cli.printer().document(
      {{"nodes", figures.nodes},
       {"links_per_node", figures.links_per_node},
       {"idle_bytes_per_node_second", figures.idle_bytes_per_node_second()},
       {"idle_by_kind", kinds_json(figures)},
       {"heartbeat_mean_bytes", figures.heartbeat_mean()},
       {"largest_message_bytes", figures.largest_message()},
       {"slot_change_ms", span_json(figures.slot_change)},
       {"join_ms", span_json(figures.join)},
       {"failure_ms", span_json(figures.failure)},
       {"comeback_ms", span_json(figures.comeback)},
       {"killed", figures.killed},
       {"mass_failure_ms", span_json(figures.mass_failure)},
       {"view_bytes_per_member", figures.view_bytes_per_member}});
  bool all_known = figures.slot_change && figures.join && figures.failure && figures.comeback &&
                   figures.mass_failure;
  return all_known ? ExitCode::Done : ExitCode::ProblemsFound;
}

}  // namespace

void add_simulate(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = cli.command(
      app, "simulate",
      "Run the protocol at any size in virtual time: what it costs, how fast it is",
      "slotctl simulate --nodes 1000 --minutes 10 --kill 10% --move 0-99",
      [&cli, options] { return run(cli, *options); });
  command->add_option("--nodes", options->nodes, "Masters, slots split evenly (100)")
      ->check(CLI::Range(size_t{3}, size_t{4000}));
  command->add_option("--minutes", options->minutes, "Virtual minutes to count idle traffic (1)")
      ->check(CLI::Range(0.05, 1440.0));
  command->add_option("--kill", options->kill, "Masters that die at once, 10% or a count (49%)");
  command->add_option("--move", options->move, "Slots that change their owner (0-99)");
  command->add_option("--node-timeout", options->node_timeout_ms, "Milliseconds (15000)")
      ->check(CLI::Range(int64_t{500}, int64_t{600000}));
  command->add_option("--delay", options->delay_ms, "Of each link, milliseconds one way (1)")
      ->check(CLI::Range(0.05, 1000.0));
  command->add_option("--seed", options->seed, "Another run with other chances (1)");
}

}  // namespace slotd
