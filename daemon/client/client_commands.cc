// CLIENT and its subcommands.
#include <algorithm>
#include <functional>

#include "daemon/client/authentication.h"
#include "daemon/client/client_session.h"
#include "daemon/client/command_table.h"

namespace slotd {
namespace {

void client_id(Call& call) {
  call.reply.integer(static_cast<int64_t>(call.session.id()));
}

void client_info(Call& call) {
  call.reply.verbatim(call.session.describe() + "\n");
}

bool known_type(std::string_view type) {
  for (std::string_view name : {"normal", "master", "replica", "slave", "pubsub"}) {
    if (equals_ignoring_case(type, name)) return true;
  }
  return false;
}

void client_list(Call& call) {
  bool by_type = call.size() == 4 && equals_ignoring_case(call.args[2], "TYPE");
  bool by_id = call.size() >= 4 && equals_ignoring_case(call.args[2], "ID");
  if (call.size() > 2 && !by_type && !by_id) return call.reply.error(reply::kSyntax);
  if (by_type && !known_type(call.args[3])) {
    return call.reply.error(fmt::format("ERR Unknown client type '{}'", call.args[3]));
  }
  std::string text;
  if (by_id) {
    for (size_t i = 3; i < call.size(); ++i) {
      int64_t id = 0;
      if (!call.integer(i, id, "ERR Invalid client ID")) return;
      ClientSession* session = call.context.clients.find(static_cast<uint64_t>(id));
      if (session != nullptr) text += session->describe() + "\n";
    }
  } else if (!by_type || equals_ignoring_case(call.args[3], "normal")) {
    for (const auto& [id, session] : call.context.clients.all()) text += session->describe() + "\n";
  }
  call.reply.verbatim(text);
}

void client_setname(Call& call) {
  if (!is_client_word(call.args[2])) return call.reply.error(reply::kClientName);
  call.session.state().name = call.args[2];
  call.reply.ok();
}

void client_getname(Call& call) {
  if (call.session.state().name.empty()) return call.reply.null();
  call.reply.bulk(call.session.state().name);
}

void client_setinfo(Call& call) {
  bool library = equals_ignoring_case(call.args[2], "lib-name");
  if (!library && !equals_ignoring_case(call.args[2], "lib-ver")) {
    return call.reply.error(fmt::format("ERR Unrecognized option '{}'", call.args[2]));
  }
  if (!is_client_word(call.args[3])) {
    return call.reply.error(fmt::format(
        "ERR {} cannot contain spaces, newlines or special characters.", to_lower(call.args[2])));
  }
  (library ? call.session.state().library : call.session.state().library_version) = call.args[3];
  call.reply.ok();
}

// Kills all that match; the caller itself after its reply.
int64_t kill_where(Call& call, bool skip_me, const std::function<bool(ClientSession&)>& matches) {
  int64_t killed = 0;
  for (uint64_t id : call.context.clients.ids()) {
    ClientSession* session = call.context.clients.find(id);
    if (session == nullptr || !matches(*session)) continue;
    bool me = session == &call.session;
    if (me && skip_me) continue;
    ++killed;
    if (me) {
      session->close_when_sent();
    } else {
      session->kill();
    }
  }
  return killed;
}

struct KillFilter {
  int64_t id = 0;
  std::string_view address;
  std::string_view local_address;
  std::string_view type = "normal";
  std::string_view user = "default";
  bool skip_me = true;

  bool matches(const ClientSession& session) const {
    if (id != 0 && session.id() != static_cast<uint64_t>(id)) return false;
    if (!address.empty() && session.remote().text() != address) return false;
    if (!local_address.empty() && session.local().text() != local_address) return false;
    return equals_ignoring_case(type, "normal") && user == "default";
  }
};

bool parse_filter(Call& call, KillFilter& filter) {
  for (size_t i = 2; i + 1 < call.size(); i += 2) {
    std::string_view word = call.args[i];
    std::string_view value = call.args[i + 1];
    bool fine = true;
    if (equals_ignoring_case(word, "ID")) {
      if (!parse_integer(value, filter.id) || filter.id < 1) {
        call.reply.error("ERR client-id should be greater than 0");
        return false;
      }
    } else if (equals_ignoring_case(word, "ADDR")) {
      filter.address = value;
    } else if (equals_ignoring_case(word, "LADDR")) {
      filter.local_address = value;
    } else if (equals_ignoring_case(word, "USER")) {
      filter.user = value;
    } else if (equals_ignoring_case(word, "TYPE")) {
      filter.type = value;
      if (!known_type(value)) {
        call.reply.error(fmt::format("ERR Unknown client type '{}'", value));
        return false;
      }
    } else if (equals_ignoring_case(word, "SKIPME")) {
      filter.skip_me = equals_ignoring_case(value, "yes");
      fine = filter.skip_me || equals_ignoring_case(value, "no");
    } else {
      fine = false;
    }
    if (fine) continue;
    call.reply.error(reply::kSyntax);
    return false;
  }
  return true;
}

void client_kill(Call& call) {
  if (call.size() == 3) {
    KillFilter filter;
    filter.address = call.args[2];
    int64_t killed =
        kill_where(call, false, [&](auto& session) { return filter.matches(session); });
    return killed > 0 ? call.reply.ok() : call.reply.error(reply::kNoSuchClient);
  }
  if (call.size() % 2 != 0) return call.reply.error(reply::kSyntax);
  KillFilter filter;
  if (!parse_filter(call, filter)) return;
  call.reply.integer(
      kill_where(call, filter.skip_me, [&](auto& session) { return filter.matches(session); }));
}

void client_no_evict(Call& call) {
  bool on = equals_ignoring_case(call.args[2], "on");
  if (!on && !equals_ignoring_case(call.args[2], "off")) return call.reply.error(reply::kSyntax);
  call.session.state().no_evict = on;
  call.reply.ok();
}

void client_reply(Call& call) {
  using Replies = ClientState::Replies;
  ClientState& state = call.session.state();
  if (equals_ignoring_case(call.args[2], "on")) {
    state.replies = Replies::On;
    return call.reply.ok();
  }
  if (equals_ignoring_case(call.args[2], "off")) {
    state.replies = Replies::Off;
  } else if (equals_ignoring_case(call.args[2], "skip")) {
    if (state.replies != Replies::Off) state.replies = Replies::SkipNext;
  } else {
    call.reply.error(reply::kSyntax);
  }
}

void client_pause(Call& call) {
  bool writes = call.size() == 4 && equals_ignoring_case(call.args[3], "WRITE");
  bool all = call.size() == 3 || (call.size() == 4 && equals_ignoring_case(call.args[3], "ALL"));
  if (!writes && !all) return call.reply.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
  constexpr int64_t kLongest = int64_t{1} << 40;
  int64_t ms = 0;
  if (!parse_integer(call.args[2], ms) || ms > kLongest) {
    return call.reply.error("ERR timeout is not an integer or out of range");
  }
  if (ms < 0) return call.reply.error("ERR timeout is negative");
  call.context.pause = {call.context.now() + milliseconds(ms), writes};
  call.reply.ok();
}

void client_unpause(Call& call) {
  call.context.pause = {};
  call.reply.ok();
  for (uint64_t id : call.context.clients.ids()) {
    ClientSession* session = call.context.clients.find(id);
    if (session != nullptr) session->resume();
  }
}

void client_getredir(Call& call) {
  call.reply.integer(-1);
}

void client_tracking(Call& call) {
  if (equals_ignoring_case(call.args[2], "off")) return call.reply.ok();
  if (!equals_ignoring_case(call.args[2], "on")) return call.reply.error(reply::kSyntax);
  call.reply.error("ERR Client tracking is not supported");
}

void client_help(Call& call) {
  static constexpr std::string_view kLines[] = {
      "CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
      "GETNAME",
      "    Return the name of the current connection.",
      "ID",
      "    Return the ID of the current connection.",
      "INFO",
      "    Return information about the current client connection.",
      "KILL <ip:port>",
      "    Kill connection made from <ip:port>.",
      "KILL <option> <value> [<option> <value> [...]]",
      "    Kill connections. Options: ID, ADDR, LADDR, TYPE, USER, SKIPME.",
      "LIST [TYPE <type>|ID <id> [<id> ...]]",
      "    Return information about client connections.",
      "NO-EVICT (ON|OFF)",
      "    Protect current client connection from eviction.",
      "PAUSE <timeout> [WRITE|ALL]",
      "    Suspend all, or just write, clients for <timeout> milliseconds.",
      "REPLY (ON|OFF|SKIP)",
      "    Control the replies sent to the current connection.",
      "SETINFO (LIB-NAME|LIB-VER) <value>",
      "    Say which library is talking.",
      "SETNAME <name>",
      "    Assign the name <name> to the current connection.",
      "UNPAUSE",
      "    Stop the current client pause, resuming traffic.",
      "HELP",
      "    Prints this help.",
  };
  call.reply.array(std::size(kLines));
  for (std::string_view line : kLines) call.reply.simple(line);
}

constexpr auto kGroup = CommandGroup::Connection;
constexpr uint32_t kAnywhere = kNoScript | kLoading | kStale;
constexpr uint32_t kOperator = kAdmin | kNoScript | kLoading | kStale;

constexpr CommandSpec kClient[] = {
    {"client|getname", 2, kAnywhere, 0, 0, 0, kGroup, client_getname},
    {"client|getredir", 2, kAnywhere, 0, 0, 0, kGroup, client_getredir},
    {"client|help", 2, kLoading | kStale, 0, 0, 0, kGroup, client_help},
    {"client|id", 2, kAnywhere, 0, 0, 0, kGroup, client_id},
    {"client|info", 2, kAnywhere, 0, 0, 0, kGroup, client_info},
    {"client|kill", -3, kOperator, 0, 0, 0, kGroup, client_kill},
    {"client|list", -2, kOperator, 0, 0, 0, kGroup, client_list},
    {"client|no-evict", 3, kOperator, 0, 0, 0, kGroup, client_no_evict},
    {"client|no-touch", 3, kAnywhere, 0, 0, 0, kGroup, client_no_evict},
    {"client|pause", -3, kOperator, 0, 0, 0, kGroup, client_pause},
    {"client|reply", 3, kAnywhere, 0, 0, 0, kGroup, client_reply},
    {"client|setinfo", 4, kAnywhere, 0, 0, 0, kGroup, client_setinfo},
    {"client|setname", 3, kAnywhere, 0, 0, 0, kGroup, client_setname},
    {"client|tracking", -3, kAnywhere, 0, 0, 0, kGroup, client_tracking},
    {"client|unpause", 2, kOperator, 0, 0, 0, kGroup, client_unpause},
};

constexpr CommandSpec kCommands[] = {
    {"client", -2, 0, 0, 0, 0, kGroup, nullptr, kClient},
};

}  // namespace

std::span<const CommandSpec> client_commands() {
  return kCommands;
}

}  // namespace slotd
