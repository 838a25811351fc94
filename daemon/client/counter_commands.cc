#include <cmath>
#include <limits>

#include "daemon/client/command_table.h"

namespace slotd {
namespace {

void add(Call& call, int64_t amount) {
  auto old = call.store().get(call.slot, call.args[1], call.now_ms);
  int64_t value = 0;
  if (old && !parse_integer(old->value, value)) return call.reply.error(reply::kNotInteger);
  ExpireAt expire_at = old ? old->expire_at : 0;
  if (__builtin_add_overflow(value, amount, &value)) return call.reply.error(reply::kOverflow);
  call.keys().put(call.slot, call.args[1], fmt::format_int(value).str(), expire_at);
  call.reply.integer(value);
}

void incr(Call& call) {
  add(call, 1);
}
void decr(Call& call) {
  add(call, -1);
}

void incrby(Call& call) {
  int64_t amount = 0;
  if (call.integer(2, amount)) add(call, amount);
}

void decrby(Call& call) {
  int64_t amount = 0;
  if (!call.integer(2, amount)) return;
  if (amount == std::numeric_limits<int64_t>::min()) {
    return call.reply.error("ERR decrement would overflow");
  }
  add(call, -amount);
}

void incrbyfloat(Call& call) {
  auto old = call.store().get(call.slot, call.args[1], call.now_ms);
  long double value = 0;
  long double amount = 0;
  bool fine = (!old || parse_real(old->value, value)) && parse_real(call.args[2], amount);
  if (!fine) return call.reply.error(reply::kNotFloat);
  ExpireAt expire_at = old ? old->expire_at : 0;
  value += amount;
  if (std::isnan(value) || std::isinf(value)) return call.reply.error(reply::kNanOrInfinity);
  std::string text = format_real_plain(value);
  call.keys().put(call.slot, call.args[1], text, expire_at);
  call.reply.bulk(text);
}

constexpr auto kGroup = CommandGroup::String;
constexpr uint32_t kChange = kWrite | kDenyOom | kFast;

constexpr CommandSpec kCommands[] = {
    {"incr", 2, kChange, 1, 1, 1, kGroup, incr},
    {"decr", 2, kChange, 1, 1, 1, kGroup, decr},
    {"incrby", 3, kChange, 1, 1, 1, kGroup, incrby},
    {"decrby", 3, kChange, 1, 1, 1, kGroup, decrby},
    {"incrbyfloat", 3, kChange, 1, 1, 1, kGroup, incrbyfloat},
};

}  // namespace

std::span<const CommandSpec> counter_commands() {
  return kCommands;
}

}  // namespace slotd
