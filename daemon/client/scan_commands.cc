#include <algorithm>
#include <charconv>

#include "daemon/client/command_table.h"
#include "daemon/client/glob.h"

namespace slotd {
namespace {

// SCAN's cursor: the slot in the low bits, the cursor within its table above them.
constexpr unsigned kSlotBits = 14;
static_assert(size_t{1} << kSlotBits == kSlotCount);

struct ScanOptions {
  uint64_t cursor = 0;
  size_t count = 10;
  std::string_view pattern = "*";
  bool strings = true;  // TYPE asks for what we have
};

bool parse_cursor(std::string_view text, uint64_t& cursor) {
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), cursor);
  return problem == std::errc{} && end == text.data() + text.size();
}

bool parse_scan(const Call& call, ScanOptions& options) {
  if (!parse_cursor(call.args[1], options.cursor)) {
    call.reply.error(reply::kInvalidCursor);
    return false;
  }
  for (size_t i = 2; i < call.size(); i += 2) {
    std::string_view word = call.args[i];
    int64_t count = 0;
    bool paired = i + 1 < call.size();
    if (paired && equals_ignoring_case(word, "COUNT")) {
      if (!call.integer(i + 1, count)) return false;
      paired = count >= 1;
      options.count = static_cast<size_t>(std::max<int64_t>(count, 1));
    } else if (paired && equals_ignoring_case(word, "MATCH")) {
      options.pattern = call.args[i + 1];
    } else if (paired && equals_ignoring_case(word, "TYPE")) {
      options.strings = equals_ignoring_case(call.args[i + 1], "string");
    } else {
      paired = false;
    }
    if (paired) continue;
    call.reply.error(reply::kSyntax);
    return false;
  }
  return true;
}

uint64_t scan_step(Call& call, const ScanOptions& options, std::vector<std::string>& keys) {
  size_t slot = options.cursor & (kSlotCount - 1);
  uint64_t inner = options.cursor >> kSlotBits;
  size_t looked_at = 0;
  while (slot < kSlotCount && looked_at < options.count) {
    if (call.store().count(static_cast<Slot>(slot)) > 0) {
      inner = call.store().walk(static_cast<Slot>(slot), inner, options.count - looked_at,
                                call.now_ms, [&](std::string_view key, const ValueView&) {
                                  ++looked_at;
                                  if (options.strings && glob_match(options.pattern, key)) {
                                    keys.emplace_back(key);
                                  }
                                });
      if (inner != 0) {
        // Sparse tables end a step too: every step is bounded.
        ++looked_at;
        continue;
      }
    }
    ++slot;
    inner = 0;
  }
  return slot == kSlotCount ? 0 : inner << kSlotBits | slot;
}

void scan(Call& call) {
  ScanOptions options;
  if (!parse_scan(call, options)) return;
  std::vector<std::string> keys;
  uint64_t cursor = scan_step(call, options, keys);
  call.reply.array(2);
  call.reply.bulk(std::to_string(cursor));
  call.reply.array(keys.size());
  for (const std::string& key : keys) call.reply.bulk(key);
}

void keys(Call& call) {
  std::vector<std::string> found;
  for (size_t slot = 0; slot < kSlotCount; ++slot) {
    if (call.store().count(static_cast<Slot>(slot)) == 0) continue;
    for (std::string& key : call.store().list(static_cast<Slot>(slot), SIZE_MAX, call.now_ms)) {
      if (glob_match(call.args[1], key)) found.push_back(std::move(key));
    }
  }
  call.reply.array(found.size());
  for (const std::string& key : found) call.reply.bulk(key);
}

// A slot with the probability of its share of the keys, then a place in its table. Fair enough, and
// no dearer in a large store.
void randomkey(Call& call) {
  constexpr int kTries = 16;  // for slots whose keys have all expired
  for (int i = 0; i < kTries && call.store().size() > 0; ++i) {
    uint64_t pick = call.context.rng.below(call.store().size());
    size_t slot = 0;
    while (slot + 1 < kSlotCount && pick >= call.store().count(static_cast<Slot>(slot))) {
      pick -= call.store().count(static_cast<Slot>(slot++));
    }
    std::vector<std::string> found;
    uint64_t cursor = call.context.rng.next() >> kSlotBits;
    for (int round = 0; round < 2 && found.empty(); ++round) {
      do {
        cursor = call.store().walk(
            static_cast<Slot>(slot), cursor, 1, call.now_ms,
            [&](std::string_view key, const ValueView&) { found.emplace_back(key); });
      } while (cursor != 0 && found.empty());
    }
    if (!found.empty()) return call.reply.bulk(found[call.context.rng.below(found.size())]);
  }
  call.reply.null();
}

constexpr auto kGroup = CommandGroup::Keyspace;

constexpr CommandSpec kCommands[] = {
    {"scan", -2, kReadOnly, 0, 0, 0, kGroup, scan},
    {"keys", 2, kReadOnly, 0, 0, 0, kGroup, keys},
    {"randomkey", 1, kReadOnly, 0, 0, 0, kGroup, randomkey},
};

}  // namespace

std::span<const CommandSpec> scan_commands() {
  return kCommands;
}

}  // namespace slotd
