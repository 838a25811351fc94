// COMMAND: the table, told to clients.
#include "daemon/client/command_table.h"
#include "daemon/client/glob.h"

namespace slotd {
namespace {

struct FlagName {
  CommandFlag flag;
  std::string_view name;
};
constexpr FlagName kFlagNames[] = {
    {kWrite, "write"},      {kReadOnly, "readonly"}, {kDenyOom, "denyoom"},
    {kAdmin, "admin"},      {kNoScript, "noscript"}, {kLoading, "loading"},
    {kStale, "stale"},      {kFast, "fast"},         {kNoAuth, "no_auth"},
    {kNoMulti, "no_multi"}, {kAskingFlag, "asking"}, {kMovableKeys, "movablekeys"},
};

std::string_view group_category(CommandGroup group) {
  switch (group) {
    case CommandGroup::String:
      return "@string";
    case CommandGroup::Keyspace:
      return "@keyspace";
    case CommandGroup::Connection:
      return "@connection";
    case CommandGroup::Transactions:
      return "@transaction";
    case CommandGroup::Server:
    case CommandGroup::Cluster:
      return "";
  }
  return "";
}

std::vector<std::string_view> categories(const CommandSpec& spec) {
  std::vector<std::string_view> names;
  if (spec.is(kWrite)) names.push_back("@write");
  if (spec.is(kReadOnly)) names.push_back("@read");
  if (!group_category(spec.group).empty()) names.push_back(group_category(spec.group));
  if (spec.is(kAdmin)) names.push_back("@admin");
  if (spec.is(kAdmin)) names.push_back("@dangerous");
  names.push_back(spec.is(kFast) ? "@fast" : "@slow");
  return names;
}

void write_words(RespWriter& out, const std::vector<std::string_view>& words) {
  out.set(words.size());
  for (std::string_view word : words) out.simple(word);
}

void write_flags(RespWriter& out, const CommandSpec& spec) {
  std::vector<std::string_view> names;
  for (const FlagName& name : kFlagNames) {
    if (spec.is(name.flag)) names.push_back(name.name);
  }
  write_words(out, names);
}

void write_pair(RespWriter& out, std::string_view name, int value) {
  out.bulk(name);
  out.integer(value);
}

// Key specifications, version 7: where the keys begin and how far they go.
void write_key_specs(RespWriter& out, const CommandSpec& spec) {
  out.set(spec.first_key == 0 ? 0 : 1);
  if (spec.first_key == 0) return;
  out.map(3);
  out.bulk("flags");
  write_words(out, spec.is(kWrite) ? std::vector<std::string_view>{"RW", "access", "update"}
                                   : std::vector<std::string_view>{"RO", "access"});
  out.bulk("begin_search");
  out.map(2);
  out.bulk("type");
  out.bulk("index");
  out.bulk("spec");
  out.map(1);
  write_pair(out, "index", spec.first_key);
  out.bulk("find_keys");
  out.map(2);
  out.bulk("type");
  out.bulk("range");
  out.bulk("spec");
  out.map(3);
  // Counted from the first key, unless it is counted from the end.
  write_pair(out, "lastkey", spec.last_key < 0 ? spec.last_key : spec.last_key - spec.first_key);
  write_pair(out, "keystep", spec.key_step);
  write_pair(out, "limit", 0);
}

void write_info(RespWriter& out, const CommandSpec& spec) {
  out.array(10);
  out.bulk(spec.name);
  out.integer(spec.arity);
  write_flags(out, spec);
  out.integer(spec.first_key);
  out.integer(spec.last_key);
  out.integer(spec.key_step);
  write_words(out, categories(spec));
  out.set(0);
  write_key_specs(out, spec);
  out.set(spec.subcommands.size());
  for (const CommandSpec& sub : spec.subcommands) write_info(out, sub);
}

// "config" or "config|get"; null when there is none.
const CommandSpec* by_full_name(std::string_view name) {
  size_t bar = name.find('|');
  const CommandSpec* spec = CommandTable::get().find(name.substr(0, bar));
  if (spec == nullptr || bar == std::string_view::npos) return spec;
  return CommandTable::find_sub(*spec, name.substr(bar + 1));
}

void write_all(Call& call) {
  auto all = CommandTable::get().all();
  call.reply.array(all.size());
  for (const CommandSpec* spec : all) write_info(call.reply, *spec);
}

void command_count(Call& call) {
  call.reply.integer(static_cast<int64_t>(CommandTable::get().all().size()));
}

void command_info(Call& call) {
  if (call.size() == 2) return write_all(call);
  call.reply.array(call.size() - 2);
  for (std::string_view name : call.args.subspan(2)) {
    const CommandSpec* spec = by_full_name(name);
    if (spec == nullptr) {
      call.reply.null_array();
    } else {
      write_info(call.reply, *spec);
    }
  }
}

// The prose is Redis' own; clients use it for hints only and accept that there is none.
void command_docs(Call& call) {
  call.reply.map(0);
}

void command_getkeys(Call& call) {
  auto args = call.args.subspan(2);
  const CommandSpec* spec = CommandTable::get().find(args[0]);
  if (spec == nullptr) return call.reply.error("ERR Invalid command specified");
  if (!spec->subcommands.empty() && args.size() > 1) {
    const CommandSpec* sub = CommandTable::find_sub(*spec, args[1]);
    if (sub != nullptr) spec = sub;
  }
  if (spec->first_key == 0 && spec->find_keys == nullptr) {
    return call.reply.error("ERR The command has no key arguments");
  }
  if (!spec->accepts(args.size())) {
    return call.reply.error("ERR Invalid number of arguments specified for command");
  }
  std::vector<std::string_view> keys;
  find_keys(*spec, args, keys);
  if (keys.empty()) return call.reply.error("ERR Invalid arguments specified for command");
  call.reply.array(keys.size());
  for (std::string_view key : keys) call.reply.bulk(key);
}

void command_list(Call& call) {
  bool filtered = call.size() == 5 && equals_ignoring_case(call.args[2], "FILTERBY");
  if (call.size() != 2 && !filtered) return call.reply.error(reply::kSyntax);
  bool by_pattern = filtered && equals_ignoring_case(call.args[3], "PATTERN");
  bool by_category = filtered && equals_ignoring_case(call.args[3], "ACLCAT");
  bool by_module = filtered && equals_ignoring_case(call.args[3], "MODULE");
  if (filtered && !by_pattern && !by_category && !by_module) {
    return call.reply.error(reply::kSyntax);
  }
  std::vector<std::string_view> names;
  for (const CommandSpec* spec : CommandTable::get().all()) {
    bool listed = !by_module;
    if (by_pattern) listed = glob_match(call.args[4], spec->name, true);
    if (by_category) {
      listed = false;
      for (std::string_view name : categories(*spec)) {
        listed = listed || equals_ignoring_case(name.substr(1), call.args[4]);
      }
    }
    if (listed) names.push_back(spec->name);
  }
  call.reply.array(names.size());
  for (std::string_view name : names) call.reply.bulk(name);
}

constexpr auto kGroup = CommandGroup::Connection;
constexpr uint32_t kAnywhere = kLoading | kStale;

constexpr CommandSpec kCommand[] = {
    {"command|count", 2, kAnywhere, 0, 0, 0, kGroup, command_count},
    {"command|docs", -2, kAnywhere, 0, 0, 0, kGroup, command_docs},
    {"command|getkeys", -4, kAnywhere, 0, 0, 0, kGroup, command_getkeys},
    {"command|info", -2, kAnywhere, 0, 0, 0, kGroup, command_info},
    {"command|list", -2, kAnywhere, 0, 0, 0, kGroup, command_list},
};

constexpr CommandSpec kCommands[] = {
    {"command", -1, kAnywhere, 0, 0, 0, kGroup, write_all, kCommand},
};

}  // namespace

std::span<const CommandSpec> command_commands() {
  return kCommands;
}

}  // namespace slotd
