#include <algorithm>

#include "daemon/client/authentication.h"
#include "daemon/client/client_session.h"
#include "daemon/client/command_table.h"
#include "daemon/client/server_identity.h"

namespace slotd {
namespace {

void ping(Call& call) {
  if (call.size() > 2) return call.reply.error(reply::wrong_arguments("ping"));
  if (call.size() == 2) return call.reply.bulk(call.args[1]);
  call.reply.simple("PONG");
}

void echo(Call& call) {
  call.reply.bulk(call.args[1]);
}

void quit(Call& call) {
  call.reply.ok();
  call.session.close_when_sent();
}

void select(Call& call) {
  int64_t database = 0;
  if (!call.integer(1, database)) return;
  if (database != 0) return call.reply.error(reply::kSelectInCluster);
  call.reply.ok();
}

void reset(Call& call) {
  call.session.begin_session();
  // Answered in the version that a fresh connection has.
  call.reply.simple("RESET");
}

// True when the client may go on as authenticated.
bool log_in(Call& call, std::string_view user, std::string_view password) {
  bool fine = credentials_match(call.context.settings, user, password);
  if (fine) call.session.state().authenticated = true;
  if (!fine) call.reply.error(reply::kWrongPass);
  return fine;
}

void auth(Call& call) {
  if (call.size() > 3) return call.reply.error(reply::kSyntax);
  if (call.size() == 2 && call.context.settings.requirepass.empty()) {
    return call.reply.error(reply::kAuthNotConfigured);
  }
  std::string_view user = call.size() == 3 ? call.args[1] : "default";
  if (log_in(call, user, call.args.back())) call.reply.ok();
}

void write_greeting(Call& call, RespVersion version) {
  RespWriter& out = call.reply;
  call.session.state().version = version;
  out.set_version(version);
  out.map(7);
  out.bulk("server");
  out.bulk("redis");
  out.bulk("version");
  out.bulk(kCompatibleVersion);
  out.bulk("proto");
  out.integer(static_cast<int64_t>(version));
  out.bulk("id");
  out.integer(static_cast<int64_t>(call.session.id()));
  out.bulk("mode");
  out.bulk("cluster");
  out.bulk("role");
  out.bulk(call.context.node.view()->self().record->role == NodeRole::Master ? "master"
                                                                             : "replica");
  out.bulk("modules");
  out.array(0);
}

void hello(Call& call) {
  int64_t wanted = static_cast<int64_t>(call.session.state().version);
  if (call.size() > 1 && !call.integer(1, wanted, reply::kProtoNotInteger)) return;
  if (wanted != 2 && wanted != 3) return call.reply.error(reply::kNoProto);
  std::optional<std::string_view> name;
  for (size_t i = 2; i < call.size(); ++i) {
    if (equals_ignoring_case(call.args[i], "AUTH") && i + 2 < call.size()) {
      if (!log_in(call, call.args[i + 1], call.args[i + 2])) return;
      i += 2;
    } else if (equals_ignoring_case(call.args[i], "SETNAME") && i + 1 < call.size()) {
      name = call.args[++i];
      if (!is_client_word(*name)) return call.reply.error(reply::kClientName);
    } else {
      return call.reply.error(
          fmt::format("ERR Syntax error in HELLO option '{:.128}'", call.args[i]));
    }
  }
  if (!call.session.state().authenticated) return call.reply.error(reply::kHelloNoAuth);
  if (name) call.session.state().name = *name;
  write_greeting(call, static_cast<RespVersion>(wanted));
}

constexpr auto kGroup = CommandGroup::Connection;
constexpr uint32_t kAnywhere = kNoScript | kLoading | kStale | kFast;

constexpr CommandSpec kCommands[] = {
    {"ping", -1, kFast, 0, 0, 0, kGroup, ping},
    {"echo", 2, kLoading | kStale | kFast, 0, 0, 0, kGroup, echo},
    {"quit", -1, kAnywhere | kNoAuth | kAtOnce, 0, 0, 0, kGroup, quit},
    {"select", 2, kLoading | kStale | kFast, 0, 0, 0, kGroup, select},
    {"reset", 1, kAnywhere | kNoAuth | kAtOnce, 0, 0, 0, kGroup, reset},
    {"auth", -2, kAnywhere | kNoAuth, 0, 0, 0, kGroup, auth},
    {"hello", -1, kAnywhere | kNoAuth, 0, 0, 0, kGroup, hello},
};

}  // namespace

std::span<const CommandSpec> connection_commands() {
  return kCommands;
}

}  // namespace slotd
