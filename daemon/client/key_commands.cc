#include <cmath>

#include "daemon/client/command_table.h"

namespace slotd {
namespace {

void del(Call& call) {
  int64_t gone = 0;
  for (std::string_view key : call.args.subspan(1)) {
    gone += call.keys().erase(call.slot, key, call.now_ms) ? 1 : 0;
  }
  call.reply.integer(gone);
}

void exists(Call& call) {
  int64_t there = 0;
  for (std::string_view key : call.args.subspan(1)) {
    there += call.store().contains(call.slot, key, call.now_ms) ? 1 : 0;
  }
  call.reply.integer(there);
}

void type(Call& call) {
  bool there = call.store().contains(call.slot, call.args[1], call.now_ms);
  call.reply.simple(there ? "string" : "none");
}

void move_key(Call& call, bool only_if_absent) {
  auto source = call.store().get(call.slot, call.args[1], call.now_ms);
  if (!source) return call.reply.error(reply::kNoSuchKey);
  if (call.args[1] == call.args[2]) {
    return only_if_absent ? call.reply.integer(0) : call.reply.ok();
  }
  std::string value(source->value);
  ExpireAt expire_at = source->expire_at;
  if (only_if_absent && call.store().contains(call.slot, call.args[2], call.now_ms)) {
    return call.reply.integer(0);
  }
  call.keys().put(call.slot, call.args[2], value, expire_at);
  call.keys().erase(call.slot, call.args[1], call.now_ms);
  if (only_if_absent) {
    call.reply.integer(1);
  } else {
    call.reply.ok();
  }
}
void rename(Call& call) {
  move_key(call, false);
}
void renamenx(Call& call) {
  move_key(call, true);
}

void copy(Call& call) {
  bool replace = false;
  for (size_t i = 3; i < call.size(); ++i) {
    if (equals_ignoring_case(call.args[i], "REPLACE")) {
      replace = true;
    } else if (equals_ignoring_case(call.args[i], "DB") && i + 1 < call.size()) {
      int64_t database = 0;
      if (!call.integer(++i, database)) return;
      if (database != 0) return call.reply.error(reply::kCopyInCluster);
    } else {
      return call.reply.error(reply::kSyntax);
    }
  }
  if (call.args[1] == call.args[2]) return call.reply.error(reply::kSameObject);
  auto source = call.store().get(call.slot, call.args[1], call.now_ms);
  if (!source) return call.reply.integer(0);
  std::string value(source->value);
  ExpireAt expire_at = source->expire_at;
  bool taken = call.store().contains(call.slot, call.args[2], call.now_ms);
  if (taken && !replace) return call.reply.integer(0);
  call.keys().put(call.slot, call.args[2], value, expire_at);
  call.reply.integer(1);
}

std::optional<ValueView> object_value(Call& call) {
  auto found = call.store().get(call.slot, call.args[2], call.now_ms);
  if (!found) call.reply.null();
  return found;
}

// The store has one form; the names are what Redis would say for such a value.
void object_encoding(Call& call) {
  auto found = object_value(call);
  if (!found) return;
  constexpr size_t kEmbedded = 44;
  int64_t number = 0;
  if (found->value.size() <= 20 && parse_integer(found->value, number)) {
    return call.reply.bulk("int");
  }
  call.reply.bulk(found->value.size() <= kEmbedded ? "embstr" : "raw");
}

void object_refcount(Call& call) {
  if (object_value(call)) call.reply.integer(1);
}
// Access times are not kept: every key counts as just used.
void object_idletime(Call& call) {
  if (object_value(call)) call.reply.integer(0);
}
void object_freq(Call& call) {
  if (!object_value(call)) return;
  call.reply.error(
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that "
      "when switching between policies at runtime LRU and LFU data will take some time to adjust.");
}

void reply_help(Call& call, std::span<const std::string_view> lines) {
  call.reply.array(lines.size());
  for (std::string_view line : lines) call.reply.simple(line);
}

void object_help(Call& call) {
  static constexpr std::string_view kLines[] = {
      "OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
      "ENCODING <key>",
      "    Return the kind of internal representation used in order to store the value",
      "    associated with a <key>.",
      "FREQ <key>",
      "    Return the access frequency index of the <key>. The returned integer is",
      "    proportional to the logarithm of the recent access frequency of the key.",
      "IDLETIME <key>",
      "    Return the idle time of the <key>, that is the approximated number of",
      "    seconds elapsed since the last access to the key.",
      "REFCOUNT <key>",
      "    Return the number of references of the value associated with the specified",
      "    <key>.",
      "HELP",
      "    Prints this help.",
  };
  reply_help(call, kLines);
}

void memory_usage(Call& call) {
  auto found = object_value(call);
  if (!found) return;
  constexpr size_t kOverhead = 32;  // the entry's header and its place in the table
  call.reply.integer(static_cast<int64_t>(kOverhead + call.args[2].size() + found->value.size()));
}

constexpr auto kGroup = CommandGroup::Keyspace;

constexpr CommandSpec kObject[] = {
    {"object|encoding", 3, kReadOnly, 2, 2, 1, kGroup, object_encoding},
    {"object|freq", 3, kReadOnly, 2, 2, 1, kGroup, object_freq},
    {"object|help", 2, kLoading | kStale, 0, 0, 0, kGroup, object_help},
    {"object|idletime", 3, kReadOnly, 2, 2, 1, kGroup, object_idletime},
    {"object|refcount", 3, kReadOnly, 2, 2, 1, kGroup, object_refcount},
};
constexpr CommandSpec kMemory[] = {
    {"memory|usage", -3, kReadOnly, 2, 2, 1, CommandGroup::Server, memory_usage},
};

constexpr CommandSpec kCommands[] = {
    {"del", -2, kWrite, 1, -1, 1, kGroup, del},
    {"unlink", -2, kWrite | kFast, 1, -1, 1, kGroup, del},
    {"exists", -2, kReadOnly | kFast, 1, -1, 1, kGroup, exists},
    {"touch", -2, kReadOnly | kFast, 1, -1, 1, kGroup, exists},
    {"type", 2, kReadOnly | kFast, 1, 1, 1, kGroup, type},
    {"rename", 3, kWrite, 1, 2, 1, kGroup, rename},
    {"renamenx", 3, kWrite | kFast, 1, 2, 1, kGroup, renamenx},
    {"copy", -3, kWrite | kDenyOom, 1, 2, 1, kGroup, copy},
    {"object", -2, 0, 0, 0, 0, kGroup, nullptr, kObject},
    {"memory", -2, 0, 0, 0, 0, CommandGroup::Server, nullptr, kMemory},
};

}  // namespace

std::span<const CommandSpec> key_commands() {
  return kCommands;
}

}  // namespace slotd
