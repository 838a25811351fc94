#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "common/base/result.h"
#include "daemon/uv/handle.h"
#include "daemon/uv/loop.h"

namespace slotd {

struct SocketAddress {
  std::string ip;
  uint16_t port = 0;

  // "ip:port", IPv6 without brackets, as Redis prints it.
  std::string text() const { return ip + ":" + std::to_string(port); }
};

// A connected, or connecting, TCP socket. Destroying it closes the socket at once and drops what is
// queued; that may be done from inside any of its callbacks. No callback comes after.
class TcpStream {
 public:
  using OnBytes = std::function<void(std::string_view)>;
  using OnClosed = std::function<void()>;  // the peer closed, or an error
  using OnConnected = std::function<void(Result<void>)>;

  explicit TcpStream(Loop& loop);
  TcpStream(const TcpStream&) = delete;
  TcpStream& operator=(const TcpStream&) = delete;

  // Takes the next pending connection of a listener.
  Result<void> accept(uv_stream_t* listener);
  // `ip` is a literal address. The answer never comes before this returns.
  void connect(const std::string& ip, uint16_t port, OnConnected on_connected);
  void start_reading(OnBytes on_bytes, OnClosed on_closed);
  void stop_reading();
  // After stop_reading, with the same callbacks.
  void resume_reading();
  // Writes what the socket takes at once and queues the rest.
  void write(std::string bytes);
  // Calls back when all that was written has left, or could not.
  void when_flushed(std::function<void()> done);
  size_t queued_bytes() const;

  void set_keepalive(unsigned idle_seconds);
  SocketAddress local() const;
  SocketAddress remote() const;
  int descriptor() const;

 private:
  struct Callbacks {
    OnBytes on_bytes;
    OnClosed on_closed;
    OnConnected on_connected;
    std::function<void()> on_flushed;
  };
  struct Write;
  static std::shared_ptr<Callbacks> callbacks_of(void* data);
  uv_stream_t* stream() const { return reinterpret_cast<uv_stream_t*>(handle_.get()); }

  std::shared_ptr<Callbacks> callbacks_;  // handle_->data points here
  UvPtr<uv_tcp_t> handle_;
};

// Accepts connections on one address.
class TcpListener {
 public:
  // Called for each connection that waits; the callee takes it with TcpStream::accept.
  using OnConnection = std::function<void(uv_stream_t* listener)>;

  TcpListener(Loop& loop, OnConnection on_connection);
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  // Port 0: the system picks one, see port().
  Result<void> listen(const std::string& ip, uint16_t port, int backlog);
  uint16_t port() const;

 private:
  OnConnection on_connection_;
  UvPtr<uv_tcp_t> handle_;
};

}  // namespace slotd
