#include "daemon/client/client_session.h"
#include "daemon/client/command_table.h"

namespace slotd {
namespace {

void multi(Call& call) {
  if (call.session.transaction().open) return call.reply.error(reply::kNestedMulti);
  call.session.transaction().open = true;
  call.reply.ok();
}

void discard(Call& call) {
  if (!call.session.transaction().open) return call.reply.error(reply::kDiscardWithoutMulti);
  call.session.forget_transaction();
  call.reply.ok();
}

// A key that was there and is not any more has expired: that is a change, which nobody reported.
bool any_expired(Call& call) {
  for (const Transaction::Watched& watched : call.session.transaction().watched) {
    bool there = call.store().contains(key_slot(watched.key), watched.key, call.now_ms);
    if (watched.present && !there) return true;
  }
  return false;
}

void exec(Call& call) {
  Transaction& transaction = call.session.transaction();
  if (!transaction.open) return call.reply.error(reply::kExecWithoutMulti);
  if (transaction.broken) {
    call.session.forget_transaction();
    return call.reply.error(reply::kExecAbort);
  }
  bool changed = (transaction.dirty && *transaction.dirty) || any_expired(call);
  if (changed) {
    call.session.forget_transaction();
    return call.reply.null_array();
  }
  call.session.unwatch();
  call.reply.array(transaction.queue.size());
  call.session.run_queue();
  call.session.forget_transaction();
}

void watch(Call& call) {
  Transaction& transaction = call.session.transaction();
  if (transaction.open) return call.reply.error(reply::kWatchInMulti);
  if (!transaction.dirty) transaction.dirty = std::make_shared<bool>(false);
  for (std::string_view key : call.args.subspan(1)) {
    bool there = call.store().contains(call.slot, key, call.now_ms);
    transaction.watched.push_back({std::string(key), there});
    call.keys().watch(key, transaction.dirty);
  }
  call.reply.ok();
}

void unwatch(Call& call) {
  call.session.unwatch();
  call.reply.ok();
}

constexpr auto kGroup = CommandGroup::Transactions;
constexpr uint32_t kAnywhere = kNoScript | kLoading | kStale | kFast;

constexpr CommandSpec kCommands[] = {
    {"multi", 1, kAnywhere | kAtOnce, 0, 0, 0, kGroup, multi},
    {"exec", 1, kNoScript | kLoading | kStale | kAtOnce, 0, 0, 0, kGroup, exec},
    {"discard", 1, kAnywhere | kAtOnce, 0, 0, 0, kGroup, discard},
    {"watch", -2, kAnywhere | kAtOnce, 1, -1, 1, kGroup, watch},
    {"unwatch", 1, kAnywhere, 0, 0, 0, kGroup, unwatch},
};

}  // namespace

std::span<const CommandSpec> transaction_commands() {
  return kCommands;
}

}  // namespace slotd
