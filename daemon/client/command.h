#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/resp/errors.h"
#include "common/resp/number.h"
#include "common/resp/writer.h"
#include "daemon/client/client_context.h"

namespace slotd {

class ClientSession;

// What COMMAND prints of a command, and what the session decides by.
enum CommandFlag : uint32_t {
  kWrite = 1u << 0,
  kReadOnly = 1u << 1,
  kDenyOom = 1u << 2,
  kAdmin = 1u << 3,
  kNoScript = 1u << 4,
  kLoading = 1u << 5,
  kStale = 1u << 6,
  kFast = 1u << 7,
  kNoAuth = 1u << 8,        // before AUTH too
  kNoMulti = 1u << 9,       // refused in a transaction
  kAskingFlag = 1u << 10,   // as if ASKING had been sent
  kMovableKeys = 1u << 11,  // where the keys are depends on the arguments
  kAtOnce = 1u << 12,       // runs inside a transaction instead of being queued; not printed
};

enum class CommandGroup : uint8_t { String, Keyspace, Connection, Server, Cluster, Transactions };

// One command as it is being run. The views live as long as the handler runs.
struct Call {
  ClientContext& context;
  ClientSession& session;
  RespWriter& reply;
  std::span<const std::string_view> args;  // args[0] is the command
  int64_t now_ms;
  Slot slot;  // of the keys, if there are any

  SlotStore& store() const { return context.keys.store(); }
  Keyspace& keys() const { return context.keys; }
  size_t size() const { return args.size(); }

  // An argument as a number; false when the error was answered.
  [[nodiscard]] bool integer(size_t index, int64_t& out,
                             reply::Text error = reply::kNotInteger) const {
    if (parse_integer(args[index], out)) return true;
    reply.error(error);
    return false;
  }
};

using CommandHandler = void (*)(Call&);
using KeyFinder = void (*)(std::span<const std::string_view> args,
                           std::vector<std::string_view>& keys);

struct CommandSpec {
  std::string_view name;  // lower case; a subcommand has its full name, "cluster|info"
  int arity;              // arguments with the name; negative: at least so many
  uint32_t flags;
  int first_key = 0;  // 0: no keys
  int last_key = 0;   // negative: counted from the end
  int key_step = 0;
  CommandGroup group = CommandGroup::Server;
  CommandHandler handler = nullptr;  // null: only with a subcommand
  std::span<const CommandSpec> subcommands = {};
  KeyFinder find_keys = nullptr;  // with kMovableKeys

  bool is(CommandFlag flag) const { return (flags & flag) != 0; }
  bool accepts(size_t arguments) const {
    return arity >= 0 ? arguments == static_cast<size_t>(arity)
                      : arguments >= static_cast<size_t>(-arity);
  }
};

// Appends the keys among the arguments.
void find_keys(const CommandSpec& spec, std::span<const std::string_view> args,
               std::vector<std::string_view>& keys);

// ASCII only, as the protocol's words are.
bool equals_ignoring_case(std::string_view a, std::string_view b);
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);

}  // namespace slotd
