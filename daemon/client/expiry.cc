#include "daemon/client/expiry.h"

#include "daemon/client/command_table.h"

namespace slotd {

bool to_moment(int64_t amount, TimeUnit unit, int64_t now_ms, int64_t& moment) {
  if (unit.seconds && __builtin_mul_overflow(amount, int64_t{1000}, &amount)) return false;
  if (unit.absolute) {
    moment = amount;
    return true;
  }
  return !__builtin_add_overflow(amount, now_ms, &moment);
}

bool parse_time_unit(std::string_view word, TimeUnit& unit) {
  struct Name {
    std::string_view word;
    TimeUnit unit;
  };
  static constexpr Name kNames[] = {{"EX", {true, false}},
                                    {"PX", {false, false}},
                                    {"EXAT", {true, true}},
                                    {"PXAT", {false, true}}};
  for (const Name& name : kNames) {
    if (!equals_ignoring_case(word, name.word)) continue;
    unit = name.unit;
    return true;
  }
  return false;
}

bool read_moment(const Call& call, size_t index, TimeUnit unit, int64_t& moment) {
  int64_t amount = 0;
  if (!call.integer(index, amount)) return false;
  if (amount > 0 && to_moment(amount, unit, call.now_ms, moment)) return true;
  call.reply.error(reply::invalid_expire(to_lower(call.args[0])));
  return false;
}

}  // namespace slotd
