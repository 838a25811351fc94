#include "daemon/bus/bus.h"

#include <utility>

#include "daemon/uv/clock.h"

namespace slotd {
namespace {

// Last words to peers that do not listen are given up beyond this many.
constexpr size_t kMaxClosing = 64;

}  // namespace

Bus::Bus(Loop& loop)
    : loop_(loop),
      lost_timer_(loop,
                  [this] {
                    for (LinkId link : std::exchange(lost_, {})) on_gone(link);
                  }),
      deadline_(loop, [this] { node_->tick(monotonic_now()); }),
      before_wait_(make_uv<uv_prepare_t>(
          this, [&](uv_prepare_t* handle) { uv_prepare_init(loop.get(), handle); })) {}

Result<void> Bus::listen(const std::vector<std::string>& addresses, uint16_t port, int backlog) {
  port_ = port;
  for (const std::string& address : addresses) {
    auto listener =
        std::make_unique<TcpListener>(loop_, [this](uv_stream_t* waiting) { accept(waiting); });
    Result<void> listening = listener->listen(address, port_, backlog);
    if (!listening) return make_error(ErrorCode::Io, "cluster bus: {}", listening.error().message);
    if (port_ == 0) port_ = listener->port();
    listeners_.push_back(std::move(listener));
  }
  return {};
}

void Bus::attach(Node& node) {
  node_ = &node;
  uv_prepare_start(before_wait_.get(), [](uv_prepare_t* handle) {
    auto* bus = static_cast<Bus*>(handle->data);
    if (bus != nullptr) bus->arm();
  });
}

// Before each wait of the loop, since anything that happened may have moved the deadline.
void Bus::arm() {
  if (armed_for_ == node_->next_deadline() && deadline_.active()) return;
  armed_for_ = node_->next_deadline();
  Duration wait = armed_for_ - monotonic_now();
  deadline_.start(std::max<Duration>(wait, milliseconds(1)));
}

void Bus::accept(uv_stream_t* listener) {
  auto stream = std::make_unique<TcpStream>(loop_);
  if (!stream->accept(listener) || node_ == nullptr) return;
  LinkId link = next_inbound_++;
  TcpStream& accepted = *(streams_[link] = std::move(stream));
  node_->on_accept(link, accepted.remote().ip, monotonic_now());
  start_reading(link, accepted);
}

void Bus::start_reading(LinkId link, TcpStream& stream) {
  stream.start_reading(
      [this, link](std::string_view bytes) {
        node_->on_bytes(link, as_bytes(bytes), monotonic_now());
          },
      [this, link] { on_gone(link); });
}

void Bus::dial(LinkId link, const std::string& ip, uint16_t bus_port) {
  TcpStream& stream = *(streams_[link] = std::make_unique<TcpStream>(loop_));
  stream.connect(ip, bus_port, [this, link](Result<void> connected) {
    auto at = streams_.find(link);
    if (at == streams_.end()) return;
    if (!connected) return on_gone(link);
    start_reading(link, *at->second);
    node_->on_link_up(link, monotonic_now());
  });
}

void Bus::send(LinkId link, ByteView frame) {
  auto at = streams_.find(link);
  if (at == streams_.end()) return;
  if (at->second->queued_bytes() + frame.size() > kMaxLinkQueueBytes) {
    streams_.erase(at);
    lose_later(link);
    return;
  }
  at->second->write(std::string(as_text(frame)));
}

void Bus::close(LinkId link) {
  auto at = streams_.find(link);
  if (at == streams_.end()) return;
  std::unique_ptr<TcpStream> stream = std::move(at->second);
  streams_.erase(at);
  if (stream->queued_bytes() == 0 || closing_.size() >= kMaxClosing) return;
  stream->stop_reading();
  stream->when_flushed([this, link] { closing_.erase(link); });
  closing_[link] = std::move(stream);
}

// What happens inside a call from the Node must reach it as an event of its own, after that call.
void Bus::lose_later(LinkId link) {
  lost_.push_back(link);
  lost_timer_.start(Duration{});
}

void Bus::on_gone(LinkId link) {
  streams_.erase(link);
  node_->on_link_down(link, monotonic_now());
}

}  // namespace slotd
