#include "daemon/bus/peer_socket.h"

#include "common/base/limits.h"
#include "daemon/bus/bus.h"
#include "daemon/uv/address.h"

namespace slotd {
namespace {

// One buffer serves all reads: libuv asks for it right before the read callback that consumes it.
void lend_buffer(uv_handle_t*, size_t, uv_buf_t* buffer) {
  static thread_local char bytes[64u << 10];
  *buffer = uv_buf_init(bytes, sizeof(bytes));
}

struct Write {
  uv_write_t request;
  Bytes bytes;
};

}  // namespace

PeerSocket::PeerSocket(Bus& bus, LinkId link, uv_loop_t* loop)
    : bus_(bus),
      link_(link),
      socket_(make_uv<uv_tcp_t>(this, [loop](uv_tcp_t* handle) { uv_tcp_init(loop, handle); })) {}

bool PeerSocket::accept(uv_stream_t* listener) {
  if (uv_accept(listener, stream()) != 0) return false;
  start_reading();
  return true;
}

bool PeerSocket::connect(const std::string& ip, uint16_t port) {
  Result<sockaddr_storage> address = parse_address(ip, port);
  if (!address) return false;
  auto* request = new uv_connect_t{};
  const auto* target = reinterpret_cast<const sockaddr*>(&*address);
  if (uv_tcp_connect(request, socket_.get(), target, on_connect) == 0) return true;
  delete request;
  return false;
}

void PeerSocket::start_reading() {
  uv_tcp_nodelay(socket_.get(), 1);
  uv_read_start(stream(), lend_buffer, on_read);
}

void PeerSocket::on_connect(uv_connect_t* request, int status) {
  auto* self = static_cast<PeerSocket*>(request->handle->data);
  delete request;
  if (self == nullptr) return;
  if (status != 0) return self->bus_.on_gone(self->link_);
  self->start_reading();
  self->bus_.on_connected(self->link_);
}

void PeerSocket::on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
  auto* self = static_cast<PeerSocket*>(stream->data);
  if (self == nullptr || size == 0) return;
  if (size < 0) return self->bus_.on_gone(self->link_);
  self->bus_.on_bytes(self->link_, as_bytes({buffer->base, static_cast<size_t>(size)}));
}

bool PeerSocket::send(ByteView frame) {
  size_t queued = uv_stream_get_write_queue_size(stream());
  if (queued + frame.size() > kMaxLinkQueueBytes) return false;
  size_t written = 0;
  if (queued == 0) {
    uv_buf_t buffer = uv_buf_init(const_cast<char*>(reinterpret_cast<const char*>(frame.data())),
                                  static_cast<unsigned>(frame.size()));
    int result = uv_try_write(stream(), &buffer, 1);
    if (result < 0 && result != UV_EAGAIN) return false;
    if (result > 0) written = static_cast<size_t>(result);
  }
  if (written == frame.size()) return true;
  auto* write = new Write{{}, Bytes(frame.begin() + static_cast<ptrdiff_t>(written), frame.end())};
  write->request.data = write;
  uv_buf_t buffer = uv_buf_init(reinterpret_cast<char*>(write->bytes.data()),
                                static_cast<unsigned>(write->bytes.size()));
  int failed = uv_write(&write->request, stream(), &buffer, 1,
                        [](uv_write_t* request, int) { delete static_cast<Write*>(request->data); });
  if (failed != 0) delete write;
  return failed == 0;
}

void PeerSocket::close_after_flush(std::unique_ptr<PeerSocket> socket) {
  uv_read_stop(socket->stream());
  auto* request = new uv_shutdown_t{};
  UvPtr<uv_tcp_t> handle = std::move(socket->socket_);
  handle->data = nullptr;
  auto* stream = reinterpret_cast<uv_stream_t*>(handle.get());
  // Not connected: nothing to flush, and the pointer closes it here.
  if (uv_shutdown(request, stream, [](uv_shutdown_t* done, int) {
        UvClose<uv_tcp_t>{}(reinterpret_cast<uv_tcp_t*>(done->handle));
        delete done;
      }) != 0) {
    delete request;
    return;
  }
  // From here the shutdown callback owns it.
  (void)handle.release();
}

std::string PeerSocket::remote() const { return remote_ip(socket_.get()); }

}  // namespace slotd
