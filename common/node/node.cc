#include "common/node/node.h"

#include <iterator>
#include <utility>

#include "common/wire/codec.h"
#include "common/wire/state_file.h"

namespace slotd {
namespace {

// What others told us is saved in batches; a failed save is tried again as often.
constexpr Duration kSaveInterval = seconds(1);

// While our state cannot be saved we may say that we live, but nothing that a restart would take
// back.
bool is_promise(const Message& message) {
  const auto* heartbeat = std::get_if<HeartbeatMessage>(&message);
  if (heartbeat != nullptr) return !heartbeat->rumours.empty();
  return !std::holds_alternative<ProbeMessage>(message);
}

void count_one(Traffic& traffic, const Message& message, size_t frame_bytes, bool sent) {
  auto kind = static_cast<size_t>(kind_of(message));
  (sent ? traffic.sent : traffic.received)[kind].add(frame_bytes);
  const auto* heartbeat = std::get_if<HeartbeatMessage>(&message);
  if (heartbeat == nullptr) return;
  (sent ? traffic.last_heartbeat_sent : traffic.last_heartbeat_received) = frame_bytes;
  for (const Rumour& rumour : heartbeat->rumours) {
    const auto* news = std::get_if<MemberNews>(&rumour);
    if (news == nullptr) continue;
    const MySlots& slots = news->record->slots;
    traffic.last_encoding = slots.encoding();
    traffic.last_myslots_bytes = slots.bytes().size();
    if (!sent) continue;
    ++traffic.myslots_sent;
    traffic.myslots_sent_bytes += slots.bytes().size();
  }
}

void append(Output& all, Output more) {
  auto move_over = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  all.save = std::max(all.save, more.save);
  move_over(all.dials, more.dials);
  move_over(all.messages, more.messages);
  move_over(all.closes, more.closes);
  move_over(all.events, more.events);
}

}  // namespace

Node::Node(ClusterConfig config, PersistentState state, uint64_t seed, Instant now,
           Transport& transport, StateStore& store, Log log)
    : state_(std::move(config), std::move(state), seed, now),
      transport_(transport),
      store_(store),
      log_(std::move(log)) {
  (void)run(now);
}

void Node::on_accept(LinkId link, const std::string& remote_ip, Instant now) {
  readers_.try_emplace(link);
  state_.on_accept(link, remote_ip, now);
  (void)run(now);
}

void Node::on_link_up(LinkId link, Instant now) {
  readers_.try_emplace(link);
  state_.on_link_up(link, now);
  (void)run(now);
}

void Node::on_link_down(LinkId link, Instant now) {
  readers_.erase(link);
  state_.on_link_down(link, now);
  (void)run(now);
}

void Node::on_bytes(LinkId link, ByteView bytes, Instant now) {
  auto at = readers_.find(link);
  if (at == readers_.end()) return;
  at->second.push(bytes);
  while ((at = readers_.find(link)) != readers_.end()) {
    Result<std::optional<Frame>> frame = at->second.next();
    if (frame.ok() && !frame->has_value()) break;
    Result<Message> message = frame.ok() ? decode_message((*frame)->kind, (*frame)->payload)
                                         : Result<Message>(frame.error());
    if (!message) {
      ++bad_frames_;
      log_({EventKind::LinkRefused, fmt::format("closed a link: {}", message.error().message), {}});
      transport_.close(link);
      on_link_down(link, now);
      return;
    }
    size_t frame_bytes = (*frame)->frame_bytes;
    const NodeId* known = state_.peer_of(link);
    std::optional<NodeId> peer = known != nullptr ? std::optional(*known) : std::nullopt;
    state_.step(link, *message, now);
    if (!peer && state_.peer_of(link) != nullptr) peer = *state_.peer_of(link);
    count(peer ? &*peer : nullptr, *message, frame_bytes, false);
    (void)run(now);
  }
}

void Node::tick(Instant now) {
  state_.tick(now);
  (void)run(now);
}

Result<void> Node::apply(const AdminCommand& command, Instant now) {
  Result<void> result = state_.apply(command, now);
  Result<void> saved = run(now);
  return result ? saved : result;
}

Result<void> Node::end_batch(Instant now) {
  batching_ = false;
  return run(now);
}

void Node::set_address(const NodeAddress& address, Instant now) {
  state_.set_address(address, now);
  (void)run(now);
}

void Node::set_config(const ClusterConfig& config, Instant now) {
  state_.set_config(config, now);
  (void)run(now);
}

Result<void> Node::save(Instant now) {
  if (unsaved_ == SaveNeed::None) return {};
  return save_if_needed(SaveNeed::Now, now);
}

// The order that all promises rest on: persist, then send, then publish (the view is made on demand
// from the state that is now on disk), then answer (by the return value).
Result<void> Node::run(Instant now) {
  if (batching_) {
    append(held_, state_.take_output());
    return {};
  }
  Output output = std::exchange(held_, {});
  append(output, state_.take_output());
  Result<void> saved = save_if_needed(output.save, now);
  for (const Dial& dial : output.dials) transport_.dial(dial.link, dial.ip, dial.bus_port);
  bool held = unsaved_ == SaveNeed::Now;
  for (const OutboundMessage& message : output.messages) {
    if (!held || !is_promise(message.message)) send(message);
  }
  for (LinkId link : output.closes) {
    readers_.erase(link);
    transport_.close(link);
  }
  for (const ClusterEvent& event : output.events) {
    if (log_) log_(event);
  }
  return saved;
}

Result<void> Node::save_if_needed(SaveNeed need, Instant now) {
  unsaved_ = std::max(unsaved_, need);
  if (unsaved_ == SaveNeed::None) return {};
  bool due = need == SaveNeed::Now || now >= next_save_;
  if (!due) return {};
  next_save_ = now + kSaveInterval;
  Result<void> saved = store_.save(encode_state(state_.persistent_state()));
  if (saved) {
    unsaved_ = SaveNeed::None;
    save_error_.clear();
    return {};
  }
  save_error_ = saved.error().message;
  return make_error(ErrorCode::Io, "the cluster state is not saved: {}", save_error_);
}

void Node::send(const OutboundMessage& message) {
  Bytes frame = encode_frame(message.message);
  transport_.send(message.link, frame);
  count(state_.peer_of(message.link), message.message, frame.size(), true);
}

void Node::count(const NodeId* peer, const Message& message, size_t frame_bytes, bool sent) {
  count_one(traffic_, message, frame_bytes, sent);
  if (peer != nullptr) count_one(traffic_by_peer_[*peer], message, frame_bytes, sent);
  if (traffic_by_peer_.size() < state_.membership().member_count()) return;
  std::erase_if(traffic_by_peer_, [this](const auto& item) {
    return state_.membership().member(item.first) == nullptr;
  });
}

}  // namespace slotd
