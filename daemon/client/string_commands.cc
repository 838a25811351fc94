#include <algorithm>

#include "daemon/client/command_table.h"
#include "daemon/client/expiry.h"

namespace slotd {
namespace {

std::optional<ValueView> look_up(Call& call, std::string_view key) {
  auto found = call.store().get(call.slot, key, call.now_ms);
  ++(found ? call.context.stats.hits : call.context.stats.misses);
  return found;
}

void reply_value(Call& call, const std::optional<ValueView>& found) {
  if (found) {
    call.reply.bulk(found->value);
  } else {
    call.reply.null();
  }
}

void get(Call& call) {
  reply_value(call, look_up(call, call.args[1]));
}

struct SetOptions {
  enum class When : uint8_t { Always, Absent, Present };
  When when = When::Always;
  bool keep_ttl = false;
  bool get = false;
  size_t time_at = 0;  // the argument with the time; 0: none
  TimeUnit unit{};
};

// False when the words contradict one another or make no sense.
bool parse_set_options(const Call& call, SetOptions& options) {
  for (size_t i = 3; i < call.size(); ++i) {
    std::string_view word = call.args[i];
    bool timed = options.time_at != 0 || options.keep_ttl;
    bool conditional = options.when != SetOptions::When::Always;
    TimeUnit unit{};
    if (equals_ignoring_case(word, "NX") && !conditional) {
      options.when = SetOptions::When::Absent;
    } else if (equals_ignoring_case(word, "XX") && !conditional) {
      options.when = SetOptions::When::Present;
    } else if (equals_ignoring_case(word, "GET")) {
      options.get = true;
    } else if (equals_ignoring_case(word, "KEEPTTL") && !timed) {
      options.keep_ttl = true;
    } else if (parse_time_unit(word, unit) && !timed && i + 1 < call.size()) {
      options.unit = unit;
      options.time_at = ++i;
    } else {
      return false;
    }
  }
  return true;
}

void set(Call& call) {
  SetOptions options;
  if (!parse_set_options(call, options)) return call.reply.error(reply::kSyntax);
  ExpireAt expire_at = 0;
  if (options.time_at != 0 && !read_moment(call, options.time_at, options.unit, expire_at)) return;
  bool plain = options.when == SetOptions::When::Always && !options.get && !options.keep_ttl;
  if (plain) {
    call.keys().put(call.slot, call.args[1], call.args[2], expire_at);
    return call.reply.ok();
  }
  auto old = call.store().get(call.slot, call.args[1], call.now_ms);
  if (options.get) reply_value(call, old);
  bool blocked = (options.when == SetOptions::When::Absent && old) ||
                 (options.when == SetOptions::When::Present && !old);
  if (blocked) {
    if (!options.get) call.reply.null();
    return;
  }
  if (options.keep_ttl && old) expire_at = old->expire_at;
  call.keys().put(call.slot, call.args[1], call.args[2], expire_at);
  if (!options.get) call.reply.ok();
}

void setnx(Call& call) {
  bool absent = !call.store().contains(call.slot, call.args[1], call.now_ms);
  if (absent) call.keys().put(call.slot, call.args[1], call.args[2], 0);
  call.reply.integer(absent ? 1 : 0);
}

void set_with_time(Call& call, TimeUnit unit) {
  ExpireAt expire_at = 0;
  if (!read_moment(call, 2, unit, expire_at)) return;
  call.keys().put(call.slot, call.args[1], call.args[3], expire_at);
  call.reply.ok();
}
void setex(Call& call) {
  set_with_time(call, {true, false});
}
void psetex(Call& call) {
  set_with_time(call, {false, false});
}

void getset(Call& call) {
  reply_value(call, look_up(call, call.args[1]));
  call.keys().put(call.slot, call.args[1], call.args[2], 0);
}

void getdel(Call& call) {
  auto found = look_up(call, call.args[1]);
  reply_value(call, found);
  if (found) call.keys().erase(call.slot, call.args[1], call.now_ms);
}

void getex(Call& call) {
  TimeUnit unit{};
  bool persist = call.size() == 3 && equals_ignoring_case(call.args[2], "PERSIST");
  bool timed = call.size() == 4 && parse_time_unit(call.args[2], unit);
  if (call.size() > 2 && !persist && !timed) return call.reply.error(reply::kSyntax);
  ExpireAt expire_at = 0;
  if (timed && !read_moment(call, 3, unit, expire_at)) return;
  auto found = look_up(call, call.args[1]);
  reply_value(call, found);
  if (!found || (!persist && !timed)) return;
  call.keys().set_expiry(call.slot, call.args[1], expire_at, call.now_ms);
}

void mget(Call& call) {
  call.reply.array(call.size() - 1);
  for (std::string_view key : call.args.subspan(1)) reply_value(call, look_up(call, key));
}

void put_pairs(Call& call) {
  for (size_t i = 1; i + 1 < call.size(); i += 2) {
    call.keys().put(call.slot, call.args[i], call.args[i + 1], 0);
  }
}

void mset(Call& call) {
  if (call.size() % 2 == 0) return call.reply.error(reply::wrong_arguments("mset"));
  put_pairs(call);
  call.reply.ok();
}

void msetnx(Call& call) {
  if (call.size() % 2 == 0) return call.reply.error(reply::wrong_arguments("msetnx"));
  for (size_t i = 1; i < call.size(); i += 2) {
    if (call.store().contains(call.slot, call.args[i], call.now_ms)) return call.reply.integer(0);
  }
  put_pairs(call);
  call.reply.integer(1);
}

void append(Call& call) {
  auto old = call.store().get(call.slot, call.args[1], call.now_ms);
  std::string value(old ? old->value : std::string_view());
  ExpireAt expire_at = old ? old->expire_at : 0;
  if (value.size() + call.args[2].size() > kMaxBulkBytes) {
    return call.reply.error(reply::kStringTooLong);
  }
  value += call.args[2];
  call.keys().put(call.slot, call.args[1], value, expire_at);
  call.reply.integer(static_cast<int64_t>(value.size()));
}

void strlen(Call& call) {
  auto found = look_up(call, call.args[1]);
  call.reply.integer(found ? static_cast<int64_t>(found->value.size()) : 0);
}

// Both ends included; negative positions count from the end.
void getrange(Call& call) {
  int64_t start = 0;
  int64_t end = 0;
  if (!call.integer(2, start) || !call.integer(3, end)) return;
  auto found = look_up(call, call.args[1]);
  std::string_view value = found ? found->value : std::string_view();
  auto length = static_cast<int64_t>(value.size());
  if (start < 0 && end < 0 && start > end) return call.reply.bulk("");
  if (start < 0) start = std::max<int64_t>(0, start + length);
  if (end < 0) end = std::max<int64_t>(0, end + length);
  end = std::min(end, length - 1);
  if (start > end || length == 0) return call.reply.bulk("");
  call.reply.bulk(value.substr(static_cast<size_t>(start), static_cast<size_t>(end - start + 1)));
}

void setrange(Call& call) {
  int64_t offset = 0;
  if (!call.integer(2, offset)) return;
  if (offset < 0) return call.reply.error(reply::kOffsetRange);
  std::string_view patch = call.args[3];
  auto old = call.store().get(call.slot, call.args[1], call.now_ms);
  if (patch.empty()) return call.reply.integer(old ? static_cast<int64_t>(old->value.size()) : 0);
  auto from = static_cast<uint64_t>(offset);
  if (from > kMaxBulkBytes || from + patch.size() > kMaxBulkBytes) {
    return call.reply.error(reply::kStringTooLong);
  }
  std::string value(old ? old->value : std::string_view());
  ExpireAt expire_at = old ? old->expire_at : 0;
  value.resize(std::max(value.size(), from + patch.size()), '\0');
  value.replace(from, patch.size(), patch);
  call.keys().put(call.slot, call.args[1], value, expire_at);
  call.reply.integer(static_cast<int64_t>(value.size()));
}

constexpr auto kGroup = CommandGroup::String;
constexpr uint32_t kChange = kWrite | kDenyOom;

constexpr CommandSpec kCommands[] = {
    {"get", 2, kReadOnly | kFast, 1, 1, 1, kGroup, get},
    {"set", -3, kChange, 1, 1, 1, kGroup, set},
    {"setnx", 3, kChange | kFast, 1, 1, 1, kGroup, setnx},
    {"setex", 4, kChange, 1, 1, 1, kGroup, setex},
    {"psetex", 4, kChange, 1, 1, 1, kGroup, psetex},
    {"getset", 3, kChange | kFast, 1, 1, 1, kGroup, getset},
    {"getex", -2, kWrite | kFast, 1, 1, 1, kGroup, getex},
    {"getdel", 2, kWrite | kFast, 1, 1, 1, kGroup, getdel},
    {"mget", -2, kReadOnly | kFast, 1, -1, 1, kGroup, mget},
    {"mset", -3, kChange, 1, -1, 2, kGroup, mset},
    {"msetnx", -3, kChange, 1, -1, 2, kGroup, msetnx},
    {"append", 3, kChange | kFast, 1, 1, 1, kGroup, append},
    {"strlen", 2, kReadOnly | kFast, 1, 1, 1, kGroup, strlen},
    {"getrange", 4, kReadOnly, 1, 1, 1, kGroup, getrange},
    {"substr", 4, kReadOnly, 1, 1, 1, kGroup, getrange},
    {"setrange", 4, kChange, 1, 1, 1, kGroup, setrange},
};

}  // namespace

std::span<const CommandSpec> string_commands() {
  return kCommands;
}

}  // namespace slotd
