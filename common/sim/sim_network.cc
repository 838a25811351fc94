#include "common/sim/sim_network.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace slotd {

std::string SimNetwork::ip_of(SimNode node) {
  return fmt::format("10.{}.{}.{}", node >> 16 & 255, node >> 8 & 255, node & 255);
}

SimNode SimNetwork::node_of(const std::string& ip) {
  SimNode node = 0;
  const char* at = ip.data();
  for (int part = 0; part < 4; ++part) {
    unsigned value = 0;
    at = std::from_chars(at, ip.data() + ip.size(), value).ptr + 1;
    if (part > 0) node = node << 8 | value;
  }
  return node;
}

void SimNetwork::block(SimNode from, SimNode to, bool blocked) {
  if (blocked) {
    blocked_.insert({from, to});
    return;
  }
  if (blocked_.erase({from, to}) == 0) return;
  for (auto& [id, connection] : connections_) {
    for (int i = 0; i < 2; ++i) {
      if (connection.ends[i].node != to || connection.ends[1 - i].node != from) continue;
      for (Bytes& bytes : std::exchange(connection.flows[i].held, {}))
        carry(id, i, std::move(bytes));
    }
  }
}

void SimNetwork::heal() {
  auto all = blocked_;
  for (const auto& [from, to] : all) block(from, to, false);
}

void SimNetwork::dial(SimNode from, LinkId link, SimNode to) {
  world_.after(draw_delay(), [this, from, link, to] { establish(from, link, to); });
}

void SimNetwork::establish(SimNode from, LinkId link, SimNode to) {
  auto dialler = receivers_.find(from);
  if (dialler == receivers_.end()) return;
  // A lost SYN is repeated for longer than any dial is waited for.
  if (blocked(from, to) || blocked(to, from)) return;
  auto acceptor = receivers_.find(to);
  if (acceptor == receivers_.end()) return dialler->second->on_link_down(link);
  LinkId inbound = kFirstInboundLink + next_inbound_[to]++;
  uint64_t id = next_connection_++;
  connections_[id] = {{{from, link}, {to, inbound}}, {}};
  by_end_[{from, link}] = id;
  by_end_[{to, inbound}] = id;
  acceptor->second->on_accept(inbound, ip_of(from));
  if (by_end_.contains({from, link})) dialler->second->on_link_up(link);
}

void SimNetwork::send(SimNode from, LinkId link, ByteView bytes) {
  auto at = by_end_.find({from, link});
  if (at == by_end_.end()) return;
  Connection& connection = connections_.at(at->second);
  int towards = connection.ends[0] == End{from, link} ? 1 : 0;
  if (on_send) on_send(bytes);
  Bytes copy(bytes.begin(), bytes.end());
  if (blocked(from, connection.ends[towards].node)) {
    connection.flows[towards].held.push_back(std::move(copy));
  } else {
    carry(at->second, towards, std::move(copy));
  }
}

void SimNetwork::carry(uint64_t id, int towards, Bytes bytes) {
  Flow& flow = connections_.at(id).flows[towards];
  flow.last_arrival = std::max(world_.now() + draw_delay(), flow.last_arrival);
  world_.at(flow.last_arrival, [this, id, towards, bytes = std::move(bytes)]() mutable {
    deliver(id, towards, std::move(bytes));
  });
}

void SimNetwork::deliver(uint64_t id, int towards, Bytes bytes) {
  auto at = connections_.find(id);
  if (at == connections_.end()) return;
  const End end = at->second.ends[towards];
  if (blocked(at->second.ends[1 - towards].node, end.node)) {
    at->second.flows[towards].held.push_back(std::move(bytes));
    return;
  }
  auto receiver = receivers_.find(end.node);
  if (receiver != receivers_.end()) receiver->second->on_bytes(end.link, bytes);
}

// The other end hears that the connection ended, after a delay; never if the way is blocked.
void SimNetwork::break_end(const End& end) {
  world_.after(draw_delay(), [this, end] {
    auto receiver = receivers_.find(end.node);
    if (receiver != receivers_.end()) receiver->second->on_link_down(end.link);
  });
}

void SimNetwork::drop(uint64_t id) {
  auto at = connections_.find(id);
  if (at == connections_.end()) return;
  for (const End& end : at->second.ends) by_end_.erase(end);
  connections_.erase(at);
}

void SimNetwork::close(SimNode from, LinkId link) {
  auto at = by_end_.find({from, link});
  if (at == by_end_.end()) return;
  uint64_t id = at->second;
  const Connection& connection = connections_.at(id);
  int towards = connection.ends[0] == End{from, link} ? 1 : 0;
  End other = connection.ends[towards];
  by_end_.erase({from, link});
  // What is in flight still arrives before the end is seen.
  Instant seen = std::max(connection.flows[towards].last_arrival, world_.now() + draw_delay());
  world_.at(seen, [this, id, other] {
    if (!connections_.contains(id)) return;
    drop(id);
    auto receiver = receivers_.find(other.node);
    if (receiver != receivers_.end()) receiver->second->on_link_down(other.link);
  });
}

void SimNetwork::reset(SimNode a, SimNode b) {
  std::vector<uint64_t> broken;
  for (const auto& [id, connection] : connections_) {
    SimNode x = connection.ends[0].node;
    SimNode y = connection.ends[1].node;
    if ((x == a && y == b) || (x == b && y == a)) broken.push_back(id);
  }
  for (uint64_t id : broken) {
    End ends[2] = {connections_.at(id).ends[0], connections_.at(id).ends[1]};
    drop(id);
    for (const End& end : ends) break_end(end);
  }
}

void SimNetwork::detach(SimNode node) {
  receivers_.erase(node);
  std::vector<uint64_t> broken;
  for (const auto& [id, connection] : connections_) {
    if (connection.ends[0].node == node || connection.ends[1].node == node) broken.push_back(id);
  }
  for (uint64_t id : broken) {
    const Connection& connection = connections_.at(id);
    End other = connection.ends[connection.ends[0].node == node ? 1 : 0];
    drop(id);
    if (other.node != node && !blocked(node, other.node)) break_end(other);
  }
}

void SimNetwork::inject(SimNode node, const Bytes& bytes) {
  for (const auto& [end, id] : by_end_) {
    if (end.node != node) continue;
    auto receiver = receivers_.find(node);
    if (receiver != receivers_.end()) receiver->second->on_bytes(end.link, bytes);
    return;
  }
}

}  // namespace slotd
