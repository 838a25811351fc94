#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "daemon/client/client_context.h"
#include "daemon/client/client_session.h"
#include "daemon/uv/loop.h"
#include "daemon/uv/tcp.h"
#include "daemon/uv/timer.h"

namespace slotd {

// Where clients connect: accepts them, carries bytes between sockets and sessions, and ends those
// that stay silent, do not read, or are one too many. Ten times a second it also resumes clients
// whose pause is over and lets the store forget keys whose time has come.
class ClientPort {
 public:
  ClientPort(Loop& loop, ClientContext& context);
  ~ClientPort();
  ClientPort(const ClientPort&) = delete;
  ClientPort& operator=(const ClientPort&) = delete;

  // Listens on each address. With port 0 the first address chooses one for all.
  Result<void> listen(const std::vector<std::string>& addresses, uint16_t port);
  uint16_t port() const { return port_; }
  size_t connections() const { return connections_.size(); }
  // Stops to accept; clients that are there are served on.
  void stop_listening() { listeners_.clear(); }

 private:
  struct Connection {
    std::unique_ptr<TcpStream> stream;
    std::unique_ptr<ClientSession> session;
    bool reading = false;
    bool closing = false;
  };

  void accept(uv_stream_t* listener);
  void turn_away(std::unique_ptr<TcpStream> stream);
  void read_from(uint64_t id, Connection& connection);
  void on_bytes(uint64_t id, std::string_view bytes);
  // Sends what the session has to say, and closes what is to be closed.
  void serve(uint64_t id);
  void update_reading(uint64_t id, Connection& connection);
  void close_later(uint64_t id);
  void sweep();
  void tick();

  Loop& loop_;
  ClientContext& context_;
  uint16_t port_ = 0;
  std::vector<std::unique_ptr<TcpListener>> listeners_;
  std::map<uint64_t, Connection> connections_;
  // Ended, but perhaps still on the stack; gone with the next turn of the loop.
  std::vector<uint64_t> ended_;
  std::vector<std::unique_ptr<TcpStream>> turned_away_;
  Timer sweep_timer_;
  Timer tick_timer_;
};

}  // namespace slotd
