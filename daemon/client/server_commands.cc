#include <algorithm>

#include "daemon/client/command_table.h"
#include "daemon/client/info_text.h"

namespace slotd {
namespace {

void info(Call& call) {
  call.reply.verbatim(info_text(call.context, call.args.subspan(1)));
}

void time(Call& call) {
  int64_t us = call.context.wall_us();
  call.reply.array(2);
  call.reply.bulk(std::to_string(us / 1000000));
  call.reply.bulk(std::to_string(us % 1000000));
}

void dbsize(Call& call) {
  call.reply.integer(static_cast<int64_t>(call.store().size()));
}

void flush(Call& call) {
  bool fine =
      call.size() == 1 || (call.size() == 2 && (equals_ignoring_case(call.args[1], "SYNC") ||
                                                equals_ignoring_case(call.args[1], "ASYNC")));
  if (!fine) return call.reply.error(reply::kSyntax);
  call.keys().drop_all();
  call.reply.ok();
}

void wait(Call& call) {
  int64_t replicas = 0;
  int64_t timeout = 0;
  if (!call.integer(1, replicas)) return;
  if (!call.integer(2, timeout, "ERR timeout is not an integer or out of range")) return;
  if (timeout < 0) return call.reply.error("ERR timeout is negative");
  call.reply.integer(0);
}

// No reply when it works, as in Redis: the connection ends.
void shutdown(Call& call) {
  for (std::string_view word : call.args.subspan(1)) {
    bool known = false;
    for (std::string_view name : {"NOSAVE", "SAVE", "NOW", "FORCE"}) {
      known = known || equals_ignoring_case(word, name);
    }
    if (!known) return call.reply.error(reply::kSyntax);
  }
  call.context.shut_down();
}

void config_get(Call& call) {
  std::vector<std::pair<std::string, std::string>> found;
  for (std::string_view pattern : call.args.subspan(2)) {
    for (auto& directive : call.context.config.get(pattern)) found.push_back(std::move(directive));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  call.reply.map(found.size());
  for (const auto& [name, value] : found) {
    call.reply.bulk(name);
    call.reply.bulk(value);
  }
}

void config_set(Call& call) {
  if (call.size() % 2 != 0) return call.reply.error(reply::wrong_arguments("config|set"));
  for (size_t i = 2; i < call.size(); i += 2) {
    Result<void> done = call.context.config.set(call.args[i], call.args[i + 1]);
    if (done.ok()) continue;
    if (done.error().code == ErrorCode::NotFound) {
      return call.reply.error(fmt::format(
          "ERR Unknown option or number of arguments for CONFIG SET - '{}'", call.args[i]));
    }
    return call.reply.error(
        fmt::format("ERR CONFIG SET failed (possibly related to argument '{}') "
                    "- {}",
                    call.args[i], done.error().message));
  }
  call.reply.ok();
}

void config_resetstat(Call& call) {
  call.context.stats = {};
  call.reply.ok();
}

void config_rewrite(Call& call) {
  Result<void> done = call.context.config.rewrite();
  if (done.ok()) return call.reply.ok();
  call.reply.error("ERR " + done.error().message);
}

constexpr auto kGroup = CommandGroup::Server;
constexpr uint32_t kOperator = kAdmin | kNoScript | kLoading | kStale;

constexpr CommandSpec kConfig[] = {
    {"config|get", -3, kOperator, 0, 0, 0, kGroup, config_get},
    {"config|resetstat", 2, kOperator, 0, 0, 0, kGroup, config_resetstat},
    {"config|rewrite", 2, kOperator, 0, 0, 0, kGroup, config_rewrite},
    {"config|set", -4, kOperator, 0, 0, 0, kGroup, config_set},
};

constexpr CommandSpec kCommands[] = {
    {"info", -1, kLoading | kStale, 0, 0, 0, kGroup, info},
    {"time", 1, kLoading | kStale | kFast, 0, 0, 0, kGroup, time},
    {"dbsize", 1, kReadOnly | kFast, 0, 0, 0, kGroup, dbsize},
    {"flushall", -1, kWrite, 0, 0, 0, kGroup, flush},
    {"flushdb", -1, kWrite, 0, 0, 0, kGroup, flush},
    {"wait", 3, kNoScript, 0, 0, 0, kGroup, wait},
    {"shutdown", -1, kOperator | kNoMulti, 0, 0, 0, kGroup, shutdown},
    {"config", -2, 0, 0, 0, 0, kGroup, nullptr, kConfig},
};

}  // namespace

std::span<const CommandSpec> server_commands() {
  return kCommands;
}

}  // namespace slotd
