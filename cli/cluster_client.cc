#include "cli/cluster_client.h"

#include <algorithm>
#include <charconv>
#include <thread>

namespace slotd {

std::string Endpoint::text() const {
  return fmt::format("{}:{}", host, port);
}

Result<Endpoint> parse_endpoint(std::string_view text) {
  size_t colon = text.rfind(':');
  Endpoint endpoint;
  if (colon == std::string_view::npos) {
    return make_error(ErrorCode::InvalidArgument, "'{}' is not host:port", text);
  }
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  std::string_view port = text.substr(colon + 1);
  auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
  if (error != std::errc{} || end != port.data() + port.size() || host.empty()) {
    return make_error(ErrorCode::InvalidArgument, "'{}' is not host:port", text);
  }
  endpoint.host = host;
  return endpoint;
}

const NodeLine& Topology::myself() const {
  auto at =
      std::find_if(nodes.begin(), nodes.end(), [](const NodeLine& node) { return node.myself; });
  SLOT_ASSERT(at != nodes.end());
  return *at;
}

const NodeLine* Topology::by_id(const NodeId& id) const {
  auto at = std::find_if(nodes.begin(), nodes.end(), [&](const NodeLine& n) { return n.id == id; });
  return at == nodes.end() ? nullptr : &*at;
}

const NodeLine* Topology::owner(Slot slot) const {
  for (const NodeLine& node : nodes) {
    if (node.slots.contains(slot)) return &node;
  }
  return nullptr;
}

std::vector<const NodeLine*> Topology::masters() const {
  std::vector<const NodeLine*> found;
  for (const NodeLine& node : nodes) {
    if (node.master && !node.failed && !node.handshake && !node.noaddr) found.push_back(&node);
  }
  return found;
}

size_t Topology::member_count() const {
  return static_cast<size_t>(std::count_if(nodes.begin(), nodes.end(),
                                           [](const NodeLine& n) { return !n.handshake; }));
}

SlotSet Topology::assigned() const {
  SlotSet slots;
  for (const NodeLine& node : nodes) slots |= node.slots;
  return slots;
}

Result<const NodeLine*> Topology::find(std::string_view name) const {
  std::vector<const NodeLine*> matches;
  for (const NodeLine& node : nodes) {
    const NodeAddress& address = node.address;
    bool by_prefix = !name.empty() && node.id.hex().starts_with(name);
    bool by_name = !address.hostname.empty() && address.hostname == name;
    bool by_address = false;
    for (const std::string& host : {address.ip, address.hostname}) {
      by_address |= !host.empty() && fmt::format("{}:{}", host, address.port) == name;
    }
    if (by_prefix || by_name || by_address) matches.push_back(&node);
  }
  if (matches.size() == 1) return matches.front();
  if (matches.empty()) {
    return make_error(ErrorCode::NotFound,
                      "no node is called '{}': give an id, the start of one, or host:port", name);
  }
  std::string list;
  for (const NodeLine* node : matches) list += fmt::format(" {}", node->id.hex());
  return make_error(ErrorCode::Conflict, "'{}' may be any of{}", name, list);
}

Result<RespClient*> ClusterClient::connection(const Endpoint& endpoint) {
  auto at = connections_.find(endpoint);
  if (at != connections_.end()) return &at->second;
  Result<RespClient> fresh = RespClient::connect(endpoint.host, endpoint.port, options_);
  if (!fresh) return fresh.error();
  return &connections_.emplace(endpoint, *std::move(fresh)).first->second;
}

Result<Reply> ClusterClient::demand(const Endpoint& endpoint,
                                    const std::vector<std::string>& command) {
  Result<RespClient*> client = connection(endpoint);
  if (!client) return client.error();
  Result<Reply> reply = (*client)->demand(command);
  if (!reply && reply.error().code == ErrorCode::Unavailable) drop(endpoint);
  return reply;
}

Result<Topology> ClusterClient::topology(const Endpoint& endpoint) {
  Result<Reply> reply = demand(endpoint, {"CLUSTER", "NODES"});
  if (!reply) return reply.error();
  Result<std::vector<NodeLine>> nodes = parse_nodes_text(reply->text);
  if (!nodes) return nodes.error();
  bool known =
      std::any_of(nodes->begin(), nodes->end(), [](const NodeLine& n) { return n.myself; });
  if (!known) return make_error(ErrorCode::Corrupt, "{} does not list itself", endpoint.text());
  // A server that nobody has met does not know its own address; we do.
  for (NodeLine& node : *nodes) {
    if (node.myself && node.address.ip.empty()) node.address.ip = endpoint.host;
  }
  return Topology{endpoint, *std::move(nodes)};
}

Endpoint ClusterClient::endpoint_of(const NodeLine& node) const {
  bool usable = !node.address.ip.empty() && node.address.ip != "?";
  return {usable ? node.address.ip : seed_.host, node.address.port};
}

Result<void> ClusterClient::learn_slots() {
  Result<Topology> topology = this->topology();
  if (!topology) return topology.error();
  owners_.assign(kSlotCount, seed_);
  for (const NodeLine& node : topology->nodes) {
    node.slots.for_each([&](Slot slot) { owners_[slot] = endpoint_of(node); });
  }
  return {};
}

// True when the error says to try elsewhere or later.
bool ClusterClient::follow(const std::string& error, Endpoint& target, bool& asking, Slot slot) {
  asking = error.starts_with("ASK ");
  if (asking || error.starts_with("MOVED ")) {
    ++redirects;
    // A server that was told no address of its own leaves the host out, or says "?".
    std::string where = error.substr(error.rfind(' ') + 1);
    if (where.starts_with(':') || where.starts_with("?:")) {
      where = target.host + where.substr(where.find(':'));
    }
    Result<Endpoint> told = parse_endpoint(where);
    if (!told) return false;
    target = *told;
    if (!asking) owners_[slot] = target;
    return true;
  }
  bool later = error.starts_with("TRYAGAIN") || error.starts_with("CLUSTERDOWN");
  if (later) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return later;
}

Result<Reply> ClusterClient::keyed(const std::string& key,
                                   const std::vector<std::string>& command) {
  if (owners_.empty()) {
    Result<void> learned = learn_slots();
    if (!learned) return learned.error();
  }
  Slot slot = key_slot(key);
  Endpoint target = owners_[slot];
  bool asking = false;
  auto deadline = std::chrono::steady_clock::now() + options_.timeout;
  while (true) {
    Result<RespClient*> client = connection(target);
    if (!client) return client.error();
    if (asking) {
      Result<Reply> asked = (*client)->call({"ASKING"});
      if (!asked) return asked.error();
    }
    Result<Reply> reply = (*client)->call(command);
    if (!reply) {
      drop(target);
      return reply;
    }
    if (!reply->is_error() || !follow(reply->text, target, asking, slot)) return reply;
    if (std::chrono::steady_clock::now() > deadline) {
      return make_error(ErrorCode::Timeout, "key '{}': still '{}' after the timeout", key,
                        reply->text);
    }
  }
}

}  // namespace slotd
