// DUMP, RESTORE and MIGRATE: keys on their way from node to node.
#include <algorithm>

#include "daemon/client/client_session.h"
#include "daemon/client/command_table.h"
#include "daemon/client/dump_payload.h"

namespace slotd {
namespace {

void dump(Call& call) {
  auto found = call.store().get(call.slot, call.args[1], call.now_ms);
  if (!found) return call.reply.null();
  call.reply.bulk(make_dump_payload(found->value));
}

struct RestoreOptions {
  bool replace = false;
  bool absolute = false;
};

// IDLETIME and FREQ are checked and let go: the store evicts nothing.
bool parse_restore(const Call& call, RestoreOptions& options) {
  for (size_t i = 4; i < call.size(); ++i) {
    std::string_view word = call.args[i];
    int64_t number = 0;
    bool idle = equals_ignoring_case(word, "IDLETIME");
    bool freq = equals_ignoring_case(word, "FREQ");
    if (equals_ignoring_case(word, "REPLACE")) {
      options.replace = true;
    } else if (equals_ignoring_case(word, "ABSTTL")) {
      options.absolute = true;
    } else if ((idle || freq) && i + 1 < call.size()) {
      if (!call.integer(++i, number)) return false;
      if (number >= 0 && (idle || number <= 255)) continue;
      call.reply.error(idle ? reply::kInvalidIdle : reply::kInvalidFreq);
      return false;
    } else {
      call.reply.error(reply::kSyntax);
      return false;
    }
  }
  return true;
}

void restore(Call& call) {
  RestoreOptions options;
  if (!parse_restore(call, options)) return;
  std::string_view key = call.args[1];
  if (!options.replace && call.store().contains(call.slot, key, call.now_ms)) {
    return call.reply.error(reply::kBusyKey);
  }
  int64_t ttl = 0;
  if (!call.integer(2, ttl)) return;
  if (ttl < 0) return call.reply.error(reply::kInvalidTtl);
  Result<std::string> value = parse_dump_payload(call.args[3]);
  if (!value.ok()) {
    bool refused = value.error().code == ErrorCode::Refused;
    return call.reply.error(refused ? reply::kBadPayload : reply::kBadData);
  }
  bool relative = ttl > 0 && !options.absolute;
  if (relative && __builtin_add_overflow(ttl, call.now_ms, &ttl)) {
    return call.reply.error(reply::kInvalidTtl);
  }
  // A copy whose time came on the way replaces what is here by nothing.
  if (ttl != 0 && ttl <= call.now_ms) {
    call.keys().erase(call.slot, key, call.now_ms);
  } else {
    call.keys().put(call.slot, key, *value, ttl);
  }
  call.reply.ok();
}

struct MigrateOptions {
  Transfer transfer;
  bool copy = false;
  size_t first_key = 3;
  size_t last_key = 3;
};

constexpr Duration kDefaultTimeout = seconds(1);
constexpr int64_t kLongestTimeout = int64_t{1} << 40;  // milliseconds

bool fail(const Call& call, reply::Text error) {
  call.reply.error(error);
  return false;
}

bool parse_words(const Call& call, MigrateOptions& options) {
  for (size_t i = 6; i < call.size(); ++i) {
    std::string_view word = call.args[i];
    size_t left = call.size() - i - 1;
    if (equals_ignoring_case(word, "COPY")) {
      options.copy = true;
    } else if (equals_ignoring_case(word, "REPLACE")) {
      options.transfer.replace = true;
    } else if (equals_ignoring_case(word, "AUTH") && left >= 1) {
      options.transfer.password = call.args[++i];
    } else if (equals_ignoring_case(word, "AUTH2") && left >= 2) {
      options.transfer.user = call.args[++i];
      options.transfer.password = call.args[++i];
    } else if (equals_ignoring_case(word, "KEYS")) {
      if (!call.args[3].empty()) return fail(call, reply::kMigrateKeysNeedsEmpty);
      options.first_key = i + 1;
      options.last_key = call.size() - 1;
      return true;
    } else {
      return fail(call, reply::kSyntax);
    }
  }
  return true;
}

bool parse_migrate(const Call& call, MigrateOptions& options) {
  if (!parse_words(call, options)) return false;
  int64_t port = 0;
  int64_t database = 0;
  int64_t timeout = 0;
  if (!call.integer(5, timeout) || !call.integer(4, database)) return false;
  if (!parse_integer(call.args[2], port) || port < 1 || port > 65535) {
    return fail(call, "IOERR error or timeout connecting to the client");
  }
  if (database != 0) return fail(call, "ERR Only database 0 exists in cluster mode");
  options.transfer.host = call.args[1];
  options.transfer.port = static_cast<uint16_t>(port);
  options.transfer.timeout =
      timeout > 0 ? Duration(milliseconds(std::min(timeout, kLongestTimeout))) : kDefaultTimeout;
  return true;
}

void take_keys(const Call& call, MigrateOptions& options) {
  for (size_t i = options.first_key; i <= options.last_key && i < call.size(); ++i) {
    auto found = call.store().get(call.slot, call.args[i], call.now_ms);
    if (!found) continue;
    int64_t ttl = found->expire_at == 0 ? 0 : std::max<int64_t>(1, found->expire_at - call.now_ms);
    options.transfer.keys.push_back(
        {std::string(call.args[i]), ttl, make_dump_payload(found->value)});
  }
}

// What is left when the transfer ends: nothing here needs the client that ordered it.
struct RunningTransfer {
  ClientContext& context;
  uint64_t client;
  std::vector<std::string> keys;
  Slot slot;
  bool copy;

  // The keys were locked all the time, so what arrived is what is here, and may go.
  std::string settle(const Result<std::vector<MigrationClient::KeyOutcome>>& result) const {
    if (!result.ok()) return result.error().message;
    std::string error;
    for (size_t i = 0; i < keys.size(); ++i) {
      const MigrationClient::KeyOutcome& outcome = (*result)[i];
      if (outcome.ok() && !copy) context.keys.erase(slot, keys[i], context.wall_ms());
      if (outcome.ok() || !error.empty()) continue;
      bool lost = outcome.error().code == ErrorCode::Io;
      error = (lost ? "" : "ERR Target instance replied with error: ") + outcome.error().message;
    }
    return error;
  }

  void finish(const Result<std::vector<MigrationClient::KeyOutcome>>& result) const {
    std::string error = settle(result);
    std::vector<uint64_t> waiting = context.locks.unlock(keys);
    ClientSession* session = context.clients.find(client);
    if (session != nullptr) {
      session->finish_wait([&](RespWriter& out) {
        if (error.empty()) return out.ok();
        ++context.stats.errors;
        out.error(error);
      });
    }
    for (uint64_t id : waiting) {
      ClientSession* waiter = context.clients.find(id);
      if (waiter != nullptr) waiter->resume();
    }
  }
};

void migrate(Call& call) {
  MigrateOptions options;
  if (!parse_migrate(call, options)) return;
  take_keys(call, options);
  if (options.transfer.keys.empty()) return call.reply.simple("NOKEY");
  RunningTransfer running{call.context, call.session.id(), {}, call.slot, options.copy};
  for (const Transfer::Key& key : options.transfer.keys) running.keys.push_back(key.name);
  call.context.locks.lock(running.keys);
  call.session.begin_wait();
  call.context.migration.start(
      std::move(options.transfer),
      [running = std::move(running)](const auto& result) { running.finish(result); });
}

void find_migrate_keys(std::span<const std::string_view> args,
                       std::vector<std::string_view>& keys) {
  if (args.size() < 4) return;
  if (!args[3].empty()) return keys.push_back(args[3]);
  for (size_t i = 6; i < args.size(); ++i) {
    // Passwords are skipped: one may be spelled like a keyword.
    if (equals_ignoring_case(args[i], "AUTH")) {
      ++i;
    } else if (equals_ignoring_case(args[i], "AUTH2")) {
      i += 2;
    } else if (equals_ignoring_case(args[i], "KEYS")) {
      keys.insert(keys.end(), args.begin() + static_cast<std::ptrdiff_t>(i) + 1, args.end());
      return;
    }
  }
}

constexpr auto kGroup = CommandGroup::Keyspace;
constexpr uint32_t kMigrateFlags = kWrite | kMovableKeys | kNoMulti;

constexpr CommandSpec kCommands[] = {
    {"dump", 2, kReadOnly, 1, 1, 1, kGroup, dump},
    {"restore", -4, kWrite | kDenyOom, 1, 1, 1, kGroup, restore},
    {"restore-asking", -4, kWrite | kDenyOom | kAskingFlag, 1, 1, 1, kGroup, restore},
    {"migrate", -6, kMigrateFlags, 3, 3, 1, kGroup, migrate, {}, find_migrate_keys},
};

}  // namespace

std::span<const CommandSpec> migrate_commands() {
  return kCommands;
}

}  // namespace slotd
