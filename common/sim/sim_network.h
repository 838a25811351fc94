#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>

#include "common/base/bytes.h"
#include "common/cluster/link.h"
#include "common/sim/sim_world.h"

namespace slotd {

// Which simulated machine; also the last part of its address.
using SimNode = uint32_t;

// What the network tells a node.
class SimReceiver {
 public:
  virtual ~SimReceiver() = default;
  virtual void on_accept(LinkId link, const std::string& remote_ip) = 0;
  virtual void on_link_up(LinkId link) = 0;
  virtual void on_bytes(LinkId link, const Bytes& bytes) = 0;
  virtual void on_link_down(LinkId link) = 0;
};

// Connections as TCP has them: order is kept, and bytes arrive or the link breaks. A blocked
// direction holds bytes back, as retransmission does, until it is open again or an end gives up.
class SimNetwork {
 public:
  SimNetwork(SimWorld& world, uint64_t seed) : world_(world), rng_(seed) {}

  void set_delay(Duration shortest, Duration longest) { shortest_ = shortest, longest_ = longest; }
  // Bytes from `from` to `to` are held back (or no longer).
  void block(SimNode from, SimNode to, bool blocked);
  void heal();
  bool blocked(SimNode from, SimNode to) const { return blocked_.contains({from, to}); }
  // Breaks every connection between the two, losing what was in flight.
  void reset(SimNode a, SimNode b);

  void attach(SimNode node, SimReceiver* receiver) { receivers_[node] = receiver; }
  // The machine is gone: its connections break, and dials to it are refused.
  void detach(SimNode node);

  void dial(SimNode from, LinkId link, SimNode to);
  void send(SimNode from, LinkId link, ByteView bytes);
  void close(SimNode from, LinkId link);
  // Bytes that no honest node sent arrive at `node` on one of its links.
  void inject(SimNode node, const Bytes& bytes);

  // Called for each frame that enters a connection; for those who count.
  std::function<void(ByteView)> on_send;
  static std::string ip_of(SimNode node);
  static SimNode node_of(const std::string& ip);

 private:
  struct End {
    SimNode node;
    LinkId link;
    friend auto operator<=>(const End&, const End&) = default;
  };
  struct Flow {              // one direction of a connection
    Instant last_arrival{};  // keeps the order whatever the delays
    std::deque<Bytes> held;
  };
  struct Connection {
    End ends[2];
    Flow flows[2];  // flows[i]: towards ends[i]
  };

  Duration draw_delay() { return Duration(rng_.between(shortest_.count(), longest_.count())); }
  void establish(SimNode from, LinkId link, SimNode to);
  void deliver(uint64_t connection, int towards, Bytes bytes);
  void break_end(const End& end);
  void drop(uint64_t connection);
  void carry(uint64_t connection, int towards, Bytes bytes);

  SimWorld& world_;
  Rng rng_;
  Duration shortest_ = milliseconds(1);
  Duration longest_ = milliseconds(1);
  std::map<SimNode, SimReceiver*> receivers_;
  std::set<std::pair<SimNode, SimNode>> blocked_;
  std::map<uint64_t, Connection> connections_;
  std::map<End, uint64_t> by_end_;
  uint64_t next_connection_ = 1;
  std::map<SimNode, LinkId> next_inbound_;
};

}  // namespace slotd
