#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/node/node.h"
#include "common/node/ports.h"
#include "daemon/bus/peer_socket.h"
#include "daemon/uv/handle.h"

namespace slotd {

// The cluster bus over libuv TCP: listens, dials, and carries bytes between sockets and the Node. Knows
// links, not nodes: what is said and to whom is the protocol's business.
class Bus : public Transport {
 public:
  explicit Bus(uv_loop_t* loop);

  // Starts to listen on each address; with port 0 the first address chooses for all.
  Result<void> listen(const std::vector<std::string>& addresses, uint16_t port);
  uint16_t port() const { return port_; }
  // Where events go. Set once, before the loop runs.
  void attach(Node& node) { node_ = &node; }
  // Closes everything; no events follow.
  void shut_down();

  void dial(LinkId link, const std::string& ip, uint16_t bus_port) override;
  void send(LinkId link, ByteView frame) override;
  void close(LinkId link) override;

  size_t links() const { return sockets_.size(); }
  uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  friend class PeerSocket;

  void lose_later(LinkId link);
  void on_connection(uv_stream_t* listener, int status);
  void on_connected(LinkId link);
  void on_bytes(LinkId link, ByteView bytes);
  // The socket is gone; the Node hears of it.
  void on_gone(LinkId link);

  uv_loop_t* loop_;
  Node* node_ = nullptr;
  UvPtr<uv_timer_t> lost_timer_;
  std::vector<LinkId> lost_;
  uint16_t port_ = 0;
  std::vector<UvPtr<uv_tcp_t>> listeners_;
  std::map<LinkId, std::unique_ptr<PeerSocket>> sockets_;
  LinkId next_inbound_ = kFirstInboundLink;
  uint64_t bytes_sent_ = 0;
};

}  // namespace slotd
