#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/node/node.h"
#include "common/node/ports.h"
#include "daemon/uv/loop.h"
#include "daemon/uv/tcp.h"
#include "daemon/uv/timer.h"

namespace slotd {

// The cluster bus over libuv TCP: listens, dials, and carries bytes between sockets and the Node.
// Knows links, not nodes: what is said and to whom is the protocol's business.
class Bus : public Transport {
 public:
  explicit Bus(Loop& loop);

  // Starts to listen on each address; with port 0 the first address chooses for all.
  Result<void> listen(const std::vector<std::string>& addresses, uint16_t port, int backlog);
  uint16_t port() const { return port_; }
  // Where events go, and where the Node's wishes come from. Set once, before the loop runs.
  void attach(Node& node);

  void dial(LinkId link, const std::string& ip, uint16_t bus_port) override;
  void send(LinkId link, ByteView frame) override;
  void close(LinkId link) override;

 private:
  void accept(uv_stream_t* listener);
  void start_reading(LinkId link, TcpStream& stream);
  void on_gone(LinkId link);
  void lose_later(LinkId link);
  void arm();

  Loop& loop_;
  Node* node_ = nullptr;
  uint16_t port_ = 0;
  std::vector<std::unique_ptr<TcpListener>> listeners_;
  std::map<LinkId, std::unique_ptr<TcpStream>> streams_;
  std::map<LinkId, std::unique_ptr<TcpStream>> closing_;  // the last words are still going out
  LinkId next_inbound_ = kFirstInboundLink;
  std::vector<LinkId> lost_;
  Timer lost_timer_;
  Timer deadline_;
  Instant armed_for_{};
  UvPtr<uv_prepare_t> before_wait_;
};

}  // namespace slotd
