#include "daemon/uv/tcp.h"

#include "daemon/uv/address.h"

namespace slotd {
namespace {

Error uv_error(std::string_view what, int code) {
  return make_error(ErrorCode::Io, "{}: {}", what, uv_strerror(code));
}

}  // namespace

struct TcpStream::Write {
  uv_write_t request;
  std::string bytes;
};

TcpStream::TcpStream(Loop& loop)
    : callbacks_(std::make_shared<Callbacks>()),
      handle_(make_uv<uv_tcp_t>(
          &callbacks_, [&](uv_tcp_t* handle) { return uv_tcp_init(loop.get(), handle); })) {}

// A copy, so that a callback may destroy the stream that it is called for.
std::shared_ptr<TcpStream::Callbacks> TcpStream::callbacks_of(void* data) {
  return data == nullptr ? nullptr : *static_cast<std::shared_ptr<Callbacks>*>(data);
}

Result<void> TcpStream::accept(uv_stream_t* listener) {
  int code = uv_accept(listener, stream());
  if (code != 0) return uv_error("accept", code);
  uv_tcp_nodelay(handle_.get(), 1);
  return {};
}

void TcpStream::connect(const std::string& ip, uint16_t port, OnConnected on_connected) {
  Result<sockaddr_storage> address = parse_address(ip, port);
  callbacks_->on_connected = std::move(on_connected);
  auto request = std::make_unique<uv_connect_t>();
  int code = UV_EINVAL;
  if (address.ok()) {
    code = uv_tcp_connect(request.get(), handle_.get(), reinterpret_cast<sockaddr*>(&*address),
                          [](uv_connect_t* done, int status) {
                            std::unique_ptr<uv_connect_t> owned(done);
                            auto callbacks = callbacks_of(done->handle->data);
                            if (!callbacks || !callbacks->on_connected) return;
                            auto call = std::move(callbacks->on_connected);
                            callbacks->on_connected = nullptr;
                            call(status == 0 ? Result<void>{} : uv_error("connect", status));
                          });
  }
  if (code == 0) {
    request.release();
    uv_tcp_nodelay(handle_.get(), 1);
    return;
  }
  // Answered from the loop as any other failure, so that callers need not expect it in the call.
  auto* later = new uv_timer_t;
  uv_timer_init(handle_->loop, later);
  struct Failure {
    std::weak_ptr<Callbacks> callbacks;
    int code;
  };
  later->data = new Failure{callbacks_, code};
  uv_timer_start(
      later,
      [](uv_timer_t* timer) {
        std::unique_ptr<Failure> failure(static_cast<Failure*>(timer->data));
        uv_close(reinterpret_cast<uv_handle_t*>(timer),
                 [](uv_handle_t* closed) { delete reinterpret_cast<uv_timer_t*>(closed); });
        auto callbacks = failure->callbacks.lock();
        if (!callbacks || !callbacks->on_connected) return;
        auto call = std::move(callbacks->on_connected);
        call(uv_error("connect", failure->code));
      },
      0, 0);
}

void TcpStream::start_reading(OnBytes on_bytes, OnClosed on_closed) {
  callbacks_->on_bytes = std::move(on_bytes);
  callbacks_->on_closed = std::move(on_closed);
  resume_reading();
}

void TcpStream::resume_reading() {
  uv_read_start(
      stream(),
      [](uv_handle_t* handle, size_t, uv_buf_t* buffer) { *buffer = Loop::read_buffer(handle); },
      [](uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
        auto callbacks = callbacks_of(stream->data);
        if (!callbacks || count == 0) return;
        if (count > 0) return callbacks->on_bytes({buffer->base, static_cast<size_t>(count)});
        uv_read_stop(stream);
        callbacks->on_closed();
      });
}

void TcpStream::stop_reading() {
  uv_read_stop(stream());
}

void TcpStream::write(std::string bytes) {
  if (bytes.empty()) return;
  size_t sent = 0;
  if (queued_bytes() == 0) {
    uv_buf_t whole{bytes.data(), bytes.size()};
    int count = uv_try_write(stream(), &whole, 1);
    if (count > 0) sent = static_cast<size_t>(count);
  }
  if (sent == bytes.size()) return;
  auto write = std::make_unique<Write>();
  write->bytes = std::move(bytes);
  write->request.data = write.get();
  uv_buf_t rest{write->bytes.data() + sent, write->bytes.size() - sent};
  int code = uv_write(&write->request, stream(), &rest, 1, [](uv_write_t* request, int) {
    std::unique_ptr<Write> owned(static_cast<Write*>(request->data));
    auto callbacks = callbacks_of(request->handle->data);
    if (!callbacks || !callbacks->on_flushed) return;
    if (uv_stream_get_write_queue_size(request->handle) > 0) return;
    auto done = std::move(callbacks->on_flushed);
    callbacks->on_flushed = nullptr;
    done();
  });
  // A dead socket is reported by the read side.
  if (code == 0) write.release();
}

void TcpStream::when_flushed(std::function<void()> done) {
  if (queued_bytes() == 0) return done();
  callbacks_->on_flushed = std::move(done);
}

size_t TcpStream::queued_bytes() const {
  return uv_stream_get_write_queue_size(stream());
}

void TcpStream::set_keepalive(unsigned idle_seconds) {
  uv_tcp_keepalive(handle_.get(), idle_seconds > 0 ? 1 : 0, idle_seconds);
}

SocketAddress TcpStream::local() const {
  return {local_ip(handle_.get()), local_port(handle_.get())};
}
SocketAddress TcpStream::remote() const {
  return {remote_ip(handle_.get()), remote_port(handle_.get())};
}

int TcpStream::descriptor() const {
  uv_os_fd_t fd = -1;
  uv_fileno(reinterpret_cast<const uv_handle_t*>(handle_.get()), &fd);
  return fd;
}

TcpListener::TcpListener(Loop& loop, OnConnection on_connection)
    : on_connection_(std::move(on_connection)),
      handle_(make_uv<uv_tcp_t>(
          this, [&](uv_tcp_t* handle) { return uv_tcp_init(loop.get(), handle); })) {}

Result<void> TcpListener::listen(const std::string& ip, uint16_t port, int backlog) {
  return listen_on(handle_.get(), ip, port, backlog, [](uv_stream_t* server, int status) {
    if (status != 0 || server->data == nullptr) return;
    static_cast<TcpListener*>(server->data)->on_connection_(server);
  });
}

uint16_t TcpListener::port() const {
  return local_port(handle_.get());
}

}  // namespace slotd
