#include "daemon/client/command_table.h"
#include "daemon/client/expiry.h"

namespace slotd {
namespace {

struct ExpireOptions {
  bool nx = false, xx = false, gt = false, lt = false;
};

bool parse_options(const Call& call, ExpireOptions& options) {
  for (std::string_view word : call.args.subspan(3)) {
    if (equals_ignoring_case(word, "NX")) {
      options.nx = true;
    } else if (equals_ignoring_case(word, "XX")) {
      options.xx = true;
    } else if (equals_ignoring_case(word, "GT")) {
      options.gt = true;
    } else if (equals_ignoring_case(word, "LT")) {
      options.lt = true;
    } else {
      call.reply.error(fmt::format("ERR Unsupported option {}", word));
      return false;
    }
  }
  bool clash = options.nx && (options.xx || options.gt || options.lt);
  if (clash) call.reply.error(reply::kNxAndOthers);
  if (!clash && options.gt && options.lt) call.reply.error(reply::kGtAndLt);
  return !clash && !(options.gt && options.lt);
}

// A key without a time to live counts as one that lives for ever.
bool permitted(const ExpireOptions& options, ExpireAt old, int64_t moment) {
  if (options.nx && old != 0) return false;
  if (options.xx && old == 0) return false;
  if (options.gt && (old == 0 || moment <= old)) return false;
  if (options.lt && old != 0 && moment >= old) return false;
  return true;
}

void expire_by(Call& call, TimeUnit unit) {
  ExpireOptions options;
  if (!parse_options(call, options)) return;
  int64_t amount = 0;
  int64_t moment = 0;
  if (!call.integer(2, amount)) return;
  if (!to_moment(amount, unit, call.now_ms, moment)) {
    return call.reply.error(reply::invalid_expire(to_lower(call.args[0])));
  }
  auto found = call.store().get(call.slot, call.args[1], call.now_ms);
  if (!found || !permitted(options, found->expire_at, moment)) return call.reply.integer(0);
  if (moment <= call.now_ms) {
    call.keys().erase(call.slot, call.args[1], call.now_ms);
  } else {
    call.keys().set_expiry(call.slot, call.args[1], moment, call.now_ms);
  }
  call.reply.integer(1);
}

void expire(Call& call) {
  expire_by(call, {true, false});
}
void pexpire(Call& call) {
  expire_by(call, {false, false});
}
void expireat(Call& call) {
  expire_by(call, {true, true});
}
void pexpireat(Call& call) {
  expire_by(call, {false, true});
}

void tell_time(Call& call, TimeUnit unit) {
  auto found = call.store().get(call.slot, call.args[1], call.now_ms);
  if (!found) return call.reply.integer(-2);
  if (found->expire_at == 0) return call.reply.integer(-1);
  int64_t ms = unit.absolute ? found->expire_at : found->expire_at - call.now_ms;
  call.reply.integer(unit.seconds ? (ms + 500) / 1000 : ms);
}

void ttl(Call& call) {
  tell_time(call, {true, false});
}
void pttl(Call& call) {
  tell_time(call, {false, false});
}
void expiretime(Call& call) {
  tell_time(call, {true, true});
}
void pexpiretime(Call& call) {
  tell_time(call, {false, true});
}

void persist(Call& call) {
  auto found = call.store().get(call.slot, call.args[1], call.now_ms);
  if (!found || found->expire_at == 0) return call.reply.integer(0);
  call.keys().set_expiry(call.slot, call.args[1], 0, call.now_ms);
  call.reply.integer(1);
}

constexpr auto kGroup = CommandGroup::Keyspace;

constexpr CommandSpec kCommands[] = {
    {"expire", -3, kWrite | kFast, 1, 1, 1, kGroup, expire},
    {"pexpire", -3, kWrite | kFast, 1, 1, 1, kGroup, pexpire},
    {"expireat", -3, kWrite | kFast, 1, 1, 1, kGroup, expireat},
    {"pexpireat", -3, kWrite | kFast, 1, 1, 1, kGroup, pexpireat},
    {"ttl", 2, kReadOnly | kFast, 1, 1, 1, kGroup, ttl},
    {"pttl", 2, kReadOnly | kFast, 1, 1, 1, kGroup, pttl},
    {"expiretime", 2, kReadOnly | kFast, 1, 1, 1, kGroup, expiretime},
    {"pexpiretime", 2, kReadOnly | kFast, 1, 1, 1, kGroup, pexpiretime},
    {"persist", 2, kWrite | kFast, 1, 1, 1, kGroup, persist},
};

}  // namespace

std::span<const CommandSpec> expiry_commands() {
  return kCommands;
}

}  // namespace slotd
