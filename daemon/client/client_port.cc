#include "daemon/client/client_port.h"

namespace slotd {
namespace {

constexpr int kBacklog = 511;  // Redis' tcp-backlog
constexpr Duration kTick = milliseconds(100);
constexpr size_t kExpireBudget = 2000;  // keys looked at in one tick: well under a millisecond

}  // namespace

ClientPort::ClientPort(Loop& loop, ClientContext& context)
    : loop_(loop),
      context_(context),
      sweep_timer_(loop, [this] { sweep(); }),
      tick_timer_(loop, [this] { tick(); }) {
  tick_timer_.repeat(kTick);
}

ClientPort::~ClientPort() = default;

Result<void> ClientPort::listen(const std::vector<std::string>& addresses, uint16_t port) {
  for (const std::string& address : addresses) {
    auto listener =
        std::make_unique<TcpListener>(loop_, [this](uv_stream_t* waiting) { accept(waiting); });
    Result<void> listening = listener->listen(address, port, kBacklog);
    if (!listening.ok()) return listening;
    port = port_ = listener->port();
    listeners_.push_back(std::move(listener));
  }
  context_.settings.port = port_;
  return {};
}

void ClientPort::accept(uv_stream_t* listener) {
  auto stream = std::make_unique<TcpStream>(loop_);
  if (!stream->accept(listener).ok()) return;
  if (connections_.size() >= context_.settings.max_clients) return turn_away(std::move(stream));
  ++context_.stats.connections_received;
  stream->set_keepalive(context_.settings.keepalive_seconds);
  // The session's id is known only when it is there.
  auto id = std::make_shared<uint64_t>(0);
  auto session = std::make_unique<ClientSession>(context_, stream->remote(), stream->local(),
                                                 [this, id] { serve(*id); });
  *id = session->id();
  Connection& connection = connections_[*id];
  connection.stream = std::move(stream);
  connection.session = std::move(session);
  read_from(*id, connection);
}

void ClientPort::turn_away(std::unique_ptr<TcpStream> stream) {
  ++context_.stats.connections_rejected;
  stream->write("-" + std::string(reply::kMaxClients) + "\r\n");
  turned_away_.push_back(std::move(stream));
  sweep_timer_.start(Duration(0));
}

void ClientPort::read_from(uint64_t id, Connection& connection) {
  connection.reading = true;
  connection.stream->start_reading([this, id](std::string_view bytes) { on_bytes(id, bytes); },
                                   [this, id] { close_later(id); });
}

void ClientPort::on_bytes(uint64_t id, std::string_view bytes) {
  auto found = connections_.find(id);
  if (found == connections_.end() || found->second.closing) return;
  found->second.session->feed(bytes);
  serve(id);
}

void ClientPort::serve(uint64_t id) {
  auto found = connections_.find(id);
  if (found == connections_.end() || found->second.closing) return;
  Connection& connection = found->second;
  ClientSession& session = *connection.session;
  if (session.killed()) return close_later(id);
  std::string output = session.take_output();
  context_.stats.bytes_out += output.size();
  connection.stream->write(std::move(output));
  if (connection.stream->queued_bytes() > context_.settings.max_output_bytes) {
    return close_later(id);
  }
  if (session.close_after_reply()) {
    connection.closing = true;
    connection.stream->stop_reading();
    return connection.stream->when_flushed([this, id] { close_later(id); });
  }
  update_reading(id, connection);
}

// A client that waits, or leaves replies unread, is not read from: its bytes wait in the kernel.
void ClientPort::update_reading(uint64_t id, Connection& connection) {
  constexpr size_t kPlenty = 64;  // parts of the output limit
  bool wanted = !connection.session->waiting() &&
                connection.stream->queued_bytes() <= context_.settings.max_output_bytes / kPlenty;
  if (wanted == connection.reading) return;
  connection.reading = wanted;
  if (wanted) return connection.stream->resume_reading();
  connection.stream->stop_reading();
  if (!connection.session->waiting()) {
    connection.stream->when_flushed([this, id] { serve(id); });
  }
}

void ClientPort::close_later(uint64_t id) {
  auto found = connections_.find(id);
  if (found == connections_.end()) return;
  found->second.closing = true;
  ended_.push_back(id);
  sweep_timer_.start(Duration(0));
}

void ClientPort::sweep() {
  for (uint64_t id : std::exchange(ended_, {})) connections_.erase(id);
  turned_away_.clear();
}

void ClientPort::tick() {
  Instant now = context_.now();
  context_.stats.keys_expired +=
      context_.keys.store().expire_some(kExpireBudget, context_.wall_ms());
  bool paused = context_.pause.until > now;
  Duration timeout = context_.settings.idle_timeout;
  for (uint64_t id : context_.clients.ids()) {
    ClientSession* session = context_.clients.find(id);
    if (session == nullptr) continue;
    if (!paused && session->waiting()) session->resume();
    bool idle = timeout > Duration(0) && now - session->last_active() > timeout;
    if (idle && !session->waiting()) close_later(id);
  }
}

}  // namespace slotd
