#include "daemon/client/client_session.h"

#include <algorithm>

#include "daemon/client/command_table.h"

namespace slotd {
namespace {

// What a client may send before it has said who it is.
constexpr RequestLimits kStranger{10, 16384, false};

const CommandSpec* exec_command() {
  static const CommandSpec* spec = CommandTable::get().find("exec");
  return spec;
}

std::string unknown_command(std::span<const std::string_view> args) {
  constexpr size_t kShown = 128;
  std::string shown;
  for (size_t i = 1; i < args.size() && shown.size() < kShown; ++i) {
    shown += fmt::format("'{}' ", args[i].substr(0, kShown - shown.size()));
  }
  return fmt::format("ERR unknown command '{}', with args beginning with: {}",
                     args[0].substr(0, kShown), shown);
}

}  // namespace

ClientSession::ClientSession(ClientContext& context, SocketAddress remote, SocketAddress local,
                             std::function<void()> wake)
    : context_(context),
      id_(context.clients.next_id()),
      remote_(std::move(remote)),
      local_(std::move(local)),
      wake_(std::move(wake)),
      since_(context.now()),
      last_active_(since_) {
  context_.clients.add(id_, *this);
  begin_session();
}

ClientSession::~ClientSession() {
  unwatch();
  context_.clients.remove(id_);
}

void ClientSession::begin_session() {
  forget_transaction();
  state_ = ClientState{};
  state_.authenticated = context_.settings.requirepass.empty();
}

void ClientSession::feed(std::string_view bytes) {
  last_active_ = context_.now();
  context_.stats.bytes_in += bytes.size();
  input_ += bytes;
  if (input_.size() - start_ > context_.settings.max_input_bytes) {
    killed_ = true;
    return;
  }
  process();
}

// What one read brought is run as one batch: its changes to the cluster state are saved together,
// and no reply leaves before.
void ClientSession::process() {
  context_.node.begin_batch();
  run_pipeline();
  keep_promises();
}

void ClientSession::keep_promises() {
  Result<void> saved = context_.node.end_batch(context_.now());
  std::vector<Promise> promises = std::exchange(promises_, {});
  if (saved.ok()) return;
  std::string error = fmt::format("-ERR {}\r\n", saved.error().message);
  for (auto at = promises.rbegin(); at != promises.rend(); ++at) {
    output_.replace(at->begin, at->end - at->begin, error);
  }
}

void ClientSession::run_pipeline() {
  while (!killed_ && !close_after_reply_ && waiting_ == Waiting::No && start_ < input_.size()) {
    ParseStatus status = parser_.parse(std::string_view(input_).substr(start_),
                                       state_.authenticated ? RequestLimits{} : kStranger);
    if (status == ParseStatus::NeedMore) break;
    if (status == ParseStatus::Error) return fail_protocol();
    if (!parser_.arguments().empty() && !execute(parser_.arguments())) break;
    consume(parser_.consumed());
    // One read may ask for far more than it is long.
    if (output_.size() > context_.settings.max_output_bytes) killed_ = true;
  }
  if (start_ == input_.size()) {
    start_ = 0;
    input_.clear();
    // A buffer that held a large value is not kept for good.
    if (input_.capacity() > (size_t{1} << 20)) input_.shrink_to_fit();
  }
}

// Moves the rest to the front now and then only: a pipeline is many small commands in one buffer.
void ClientSession::consume(size_t bytes) {
  start_ += bytes;
  if (start_ < (size_t{1} << 16) || start_ < input_.size() / 2) return;
  input_.erase(0, start_);
  start_ = 0;
}

void ClientSession::fail_protocol() {
  ++context_.stats.protocol_errors;
  RespWriter(output_, state_.version).error("ERR " + parser_.error());
  close_after_reply_ = true;
}

void ClientSession::kill() {
  killed_ = true;
  wake_();
}

void ClientSession::resume() {
  if (waiting_ != Waiting::Retry) return;
  waiting_ = Waiting::No;
  process();
  wake_();
}

void ClientSession::finish_wait(const std::function<void(RespWriter&)>& write) {
  size_t before = output_.size();
  RespWriter writer(output_, state_.version);
  write(writer);
  settle_replies(before);
  waiting_ = Waiting::No;
  process();
  wake_();
}

bool ClientSession::execute(std::span<const std::string_view> args) {
  size_t before = output_.size();
  const CommandSpec* spec = look_up(args);
  if (spec != nullptr && allowed(*spec)) {
    keys_.clear();
    find_keys(*spec, args, keys_);
    if (spec == exec_command()) {
      for (const Transaction::Queued& queued : transaction_.queue) {
        std::vector<std::string_view> views(queued.args.begin(), queued.args.end());
        find_keys(*queued.spec, views, keys_);
      }
    }
    if (must_wait(*spec)) {
      waiting_ = Waiting::Retry;
      return false;
    }
    Slot slot = 0;
    if (here(*spec, slot)) {
      if (transaction_.open && !spec->is(kAtOnce)) {
        queue(*spec, args);
      } else {
        run(*spec, args, slot);
      }
    }
  }
  // ASKING is for one command; a transaction counts as one.
  bool just_asked = spec != nullptr && spec->name == "asking";
  if (!just_asked && !transaction_.open) state_.asking = false;
  if (waiting_ != Waiting::Answer) settle_replies(before);
  return true;
}

const CommandSpec* ClientSession::look_up(std::span<const std::string_view> args) {
  const CommandSpec* spec = CommandTable::get().find(args[0]);
  if (spec == nullptr) return refuse(unknown_command(args)), nullptr;
  if (!spec->subcommands.empty() && args.size() >= 2) {
    const CommandSpec* sub = CommandTable::find_sub(*spec, args[1]);
    if (sub == nullptr) {
      return refuse(reply::unknown_subcommand(args[1], to_upper(spec->name))), nullptr;
    }
    spec = sub;
  }
  if (!spec->accepts(args.size())) return refuse(reply::wrong_arguments(spec->name)), nullptr;
  return spec;
}

bool ClientSession::allowed(const CommandSpec& spec) {
  if (!state_.authenticated && !spec.is(kNoAuth)) return refuse(reply::kNoAuth), false;
  if (transaction_.open && spec.is(kNoMulti)) return refuse(reply::kNotInMulti), false;
  return true;
}

bool ClientSession::must_wait(const CommandSpec& spec) {
  bool queued_only = transaction_.open && !spec.is(kAtOnce);
  bool paused = context_.pause.until > context_.now() && !spec.name.starts_with("client|");
  if (paused && (!context_.pause.writes_only || (spec.is(kWrite) && !queued_only) ||
                 (&spec == exec_command()))) {
    return true;
  }
  if (queued_only || context_.locks.empty()) return false;
  bool touches_all = spec.is(kWrite) && spec.first_key == 0 && !spec.is(kMovableKeys);
  if (!touches_all && !context_.locks.any(keys_)) return false;
  context_.locks.wait(id_);
  return true;
}

// True when the command is to be run by this node; else the client has been told where to go.
bool ClientSession::here(const CommandSpec& spec, Slot& slot) {
  if (keys_.empty()) return true;
  slots_.clear();
  for (std::string_view key : keys_) slots_.push_back(key_slot(key));
  slot = slots_.front();
  auto view = context_.node.view();
  RouteRequest request;
  request.slots = slots_;
  request.asking = state_.asking;
  request.migrating_copy = spec.is(kAskingFlag);
  request.read_only = spec.is(kReadOnly);
  request.reads_when_down = context_.settings.allow_reads_when_down;
  Route found = route(*view, request, [this] { return presence(); });
  if (found.kind == RouteKind::Serve) return true;
  // MIGRATE is how the keys of an open slot move: it works on whatever is here.
  bool open = view->migrating.contains(slot) || view->importing.contains(slot);
  bool redirects = found.kind != RouteKind::CrossSlot && found.kind != RouteKind::Down;
  if (spec.name == "migrate" && open && redirects) return true;
  redirect(spec, found, *view);
  return false;
}

KeyPresence ClientSession::presence() {
  KeyPresence result;
  int64_t now = context_.wall_ms();
  for (size_t i = 0; i < keys_.size(); ++i) {
    bool there = context_.keys.store().contains(slots_[i], keys_[i], now);
    ++(there ? result.present : result.absent);
  }
  return result;
}

void ClientSession::redirect(const CommandSpec& spec, const Route& found, const ClusterView& view) {
  const NodeAddress* address = found.target ? &found.target->record->address : nullptr;
  switch (found.kind) {
    case RouteKind::Moved:
      refuse(reply::moved(found.slot, address->ip, address->port));
      break;
    case RouteKind::Ask:
      refuse(reply::ask(found.slot, address->ip, address->port));
      break;
    case RouteKind::TryAgain:
      refuse(reply::kTryAgain);
      break;
    case RouteKind::CrossSlot:
      refuse(reply::kCrossSlot);
      break;
    case RouteKind::Unbound:
      refuse(reply::kSlotNotServed);
      break;
    case RouteKind::Down: {
      bool reads = context_.settings.allow_reads_when_down && !spec.is(kReadOnly) &&
                   view.standing != Standing::Removed && view.standing != Standing::Joining;
      refuse(reads ? reply::kClusterDownReadOnly : reply::kClusterDown);
      break;
    }
    case RouteKind::Serve:
      break;
  }
  if (&spec == exec_command()) forget_transaction();
}

// An error before the command ran: inside MULTI it breaks the transaction.
void ClientSession::refuse(std::string_view error) {
  RespWriter(output_, state_.version).error(error);
  if (transaction_.open) transaction_.broken = true;
}

void ClientSession::queue(const CommandSpec& spec, std::span<const std::string_view> args) {
  for (std::string_view argument : args) transaction_.queued_bytes += argument.size() + 32;
  if (transaction_.queued_bytes > context_.settings.max_input_bytes) {
    killed_ = true;
    return;
  }
  transaction_.queue.push_back({&spec, {args.begin(), args.end()}});
  RespWriter(output_, state_.version).simple("QUEUED");
}

void ClientSession::run(const CommandSpec& spec, std::span<const std::string_view> args,
                        Slot slot) {
  ++context_.stats.commands;
  last_command_ = &spec;
  RespWriter writer(output_, state_.version);
  Call call{context_, *this, writer, args, context_.wall_ms(), slot};
  size_t before = output_.size();
  if (spec.handler == nullptr) {
    writer.error(reply::wrong_arguments(spec.name));
  } else {
    spec.handler(call);
  }
  if (output_.size() > before && output_[before] == '-') ++context_.stats.errors;
}

void ClientSession::run_queue() {
  std::vector<Transaction::Queued> commands = std::move(transaction_.queue);
  for (const Transaction::Queued& queued : commands) {
    std::vector<std::string_view> args(queued.args.begin(), queued.args.end());
    std::vector<std::string_view> keys;
    find_keys(*queued.spec, args, keys);
    run(*queued.spec, args, keys.empty() ? Slot{0} : key_slot(keys.front()));
  }
}

void ClientSession::settle_replies(size_t output_before) {
  using Replies = ClientState::Replies;
  bool silent = state_.replies == Replies::Off || state_.replies == Replies::SkipThis;
  if (silent) output_.resize(output_before);
  if (state_.replies == Replies::SkipThis) state_.replies = Replies::On;
  if (state_.replies == Replies::SkipNext) state_.replies = Replies::SkipThis;
}

void ClientSession::forget_transaction() {
  unwatch();
  transaction_ = Transaction{};
}

void ClientSession::unwatch() {
  for (const Transaction::Watched& watched : transaction_.watched) {
    context_.keys.unwatch(watched.key, transaction_.dirty);
  }
  transaction_.watched.clear();
  transaction_.dirty.reset();
}

std::string ClientSession::describe() const {
  Instant now = context_.now();
  std::string flags;
  if (transaction_.open) flags += 'x';
  if (transaction_.dirty && *transaction_.dirty) flags += 'd';
  if (waiting_ != Waiting::No) flags += 'b';
  if (close_after_reply_) flags += 'c';
  if (state_.readonly) flags += 'r';
  if (flags.empty()) flags = "N";
  auto whole_seconds = [](Duration span) { return to_ms(span) / 1000; };
  return fmt::format(
      "id={} addr={} laddr={} fd=-1 name={} age={} idle={} flags={} db=0 sub=0 psub=0 ssub=0 "
      "multi={} qbuf={} qbuf-free={} argv-mem=0 multi-mem={} rbs=0 rbp=0 obl={} oll=0 omem=0 "
      "tot-mem={} events=r cmd={} user=default redir=-1 resp={} lib-name={} lib-ver={}",
      id_, remote_.text(), local_.text(), state_.name, whole_seconds(now - since_),
      whole_seconds(now - last_active_), flags,
      transaction_.open ? static_cast<int64_t>(transaction_.queue.size()) : -1,
      input_.size() - start_, input_.capacity() - input_.size(), transaction_.queued_bytes,
      output_.size(), sizeof(*this) + input_.capacity() + output_.capacity(),
      last_command_ != nullptr ? last_command_->name : "NULL", static_cast<int>(state_.version),
      state_.library, state_.library_version);
}

}  // namespace slotd
