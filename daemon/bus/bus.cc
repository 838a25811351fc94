#include "daemon/bus/bus.h"

#include "daemon/uv/address.h"
#include "daemon/uv/clock.h"

namespace slotd {
namespace {

constexpr int kBacklog = 511;

}  // namespace

Bus::Bus(uv_loop_t* loop)
    : loop_(loop),
      lost_timer_(make_uv<uv_timer_t>(this, [loop](uv_timer_t* h) { uv_timer_init(loop, h); })) {}

Result<void> Bus::listen(const std::vector<std::string>& addresses, uint16_t port) {
  port_ = port;
  for (const std::string& address : addresses) {
    auto listener = make_uv<uv_tcp_t>(this, [this](uv_tcp_t* h) { uv_tcp_init(loop_, h); });
    Result<void> listening =
        listen_on(listener.get(), address, port_, kBacklog, [](uv_stream_t* stream, int status) {
          auto* bus = static_cast<Bus*>(stream->data);
          if (bus != nullptr) bus->on_connection(stream, status);
        });
    if (!listening) return make_error(ErrorCode::Io, "cluster bus: {}", listening.error().message);
    if (port_ == 0) port_ = local_port(listener.get());
    listeners_.push_back(std::move(listener));
  }
  return {};
}

void Bus::shut_down() {
  node_ = nullptr;
  lost_timer_.reset();
  listeners_.clear();
  for (auto& [link, socket] : sockets_) PeerSocket::close_after_flush(std::move(socket));
  sockets_.clear();
}

void Bus::on_connection(uv_stream_t* listener, int status) {
  if (status != 0 || node_ == nullptr) return;
  LinkId link = next_inbound_++;
  auto socket = std::make_unique<PeerSocket>(*this, link, loop_);
  if (!socket->accept(listener)) return;
  std::string remote = socket->remote();
  sockets_[link] = std::move(socket);
  node_->on_accept(link, remote, monotonic_now());
}

void Bus::dial(LinkId link, const std::string& ip, uint16_t bus_port) {
  auto socket = std::make_unique<PeerSocket>(*this, link, loop_);
  bool dialled = socket->connect(ip, bus_port);
  sockets_[link] = std::move(socket);
  if (!dialled) lose_later(link);
}

// What happens inside a call from the Node must reach it as an event of its own, after that call.
void Bus::lose_later(LinkId link) {
  lost_.push_back(link);
  uv_timer_start(
      lost_timer_.get(),
      [](uv_timer_t* timer) {
        auto* bus = static_cast<Bus*>(timer->data);
        if (bus == nullptr) return;
        for (LinkId lost : std::exchange(bus->lost_, {})) bus->on_gone(lost);
      },
      0, 0);
}

void Bus::send(LinkId link, ByteView frame) {
  auto at = sockets_.find(link);
  if (at == sockets_.end()) return;
  if (at->second->send(frame)) {
    bytes_sent_ += frame.size();
    return;
  }
  // Broken, or a peer that stopped reading.
  sockets_.erase(at);
  lose_later(link);
}

void Bus::close(LinkId link) {
  auto at = sockets_.find(link);
  if (at == sockets_.end()) return;
  std::unique_ptr<PeerSocket> socket = std::move(at->second);
  sockets_.erase(at);
  PeerSocket::close_after_flush(std::move(socket));
}

void Bus::on_connected(LinkId link) {
  if (node_ != nullptr) node_->on_link_up(link, monotonic_now());
}

void Bus::on_bytes(LinkId link, ByteView bytes) {
  if (node_ != nullptr) node_->on_bytes(link, bytes, monotonic_now());
}

void Bus::on_gone(LinkId link) {
  sockets_.erase(link);
  if (node_ != nullptr) node_->on_link_down(link, monotonic_now());
}

}  // namespace slotd
