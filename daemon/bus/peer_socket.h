#pragma once

#include <string>

#include "common/base/bytes.h"
#include "common/cluster/link.h"
#include "daemon/uv/handle.h"

namespace slotd {

class Bus;

// One TCP connection of the bus. Owned by Bus; dropping it closes the socket.
class PeerSocket {
 public:
  PeerSocket(Bus& bus, LinkId link, uv_loop_t* loop);

  // Takes the pending connection. False when there is none after all.
  bool accept(uv_stream_t* listener);
  // False when the address cannot be dialled at all.
  bool connect(const std::string& ip, uint16_t port);
  // False when the connection is broken or the peer leaves more than kMaxLinkQueueBytes unread.
  bool send(ByteView frame);
  // Lets what is queued go out and then closes; the object is no longer needed.
  static void close_after_flush(std::unique_ptr<PeerSocket> socket);

  std::string remote() const;

 private:
  void start_reading();
  uv_stream_t* stream() const { return reinterpret_cast<uv_stream_t*>(socket_.get()); }

  static void on_connect(uv_connect_t* request, int status);
  static void on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer);

  Bus& bus_;
  LinkId link_;
  UvPtr<uv_tcp_t> socket_;
};

}  // namespace slotd
