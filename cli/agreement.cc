#include "cli/agreement.h"

#include <algorithm>
#include <thread>

#include "common/slot/slot_ranges.h"
#include "common/text/info_fields.h"

namespace slotd {

Result<NodePicture> picture_of(ClusterClient& client, const Endpoint& endpoint) {
  Result<Topology> topology = client.topology(endpoint);
  if (!topology) return topology.error();
  Result<Reply> info = client.demand(endpoint, {"CLUSTER", "INFO"});
  if (!info) return info.error();
  NodePicture picture;
  picture.endpoint = endpoint;
  picture.id = topology->myself().id.hex();
  for (const NodeLine& node : topology->nodes) {
    if (node.handshake) continue;
    picture.members.push_back(node.id.hex());
    if (!node.slots.empty()) picture.slots.emplace_back(node.id.hex(), node.slots);
  }
  std::sort(picture.members.begin(), picture.members.end());
  std::sort(picture.slots.begin(), picture.slots.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  auto fields = parse_info_fields(info->text);
  picture.state = fields["cluster_state"];
  picture.digest = fields["cluster_view_digest"];
  return picture;
}

namespace {

// " 0123abcd only at host:port" for the first member that `without` does not know.
std::string only_in(const NodePicture& with, const NodePicture& without) {
  for (const std::string& id : with.members) {
    if (std::binary_search(without.members.begin(), without.members.end(), id)) continue;
    return fmt::format(" {} only at {}", id.substr(0, 8), with.endpoint.text());
  }
  return "";
}

}  // namespace

std::string difference(const NodePicture& model, const NodePicture& other) {
  if (model.members != other.members) {
    return fmt::format("{} knows {} members, {} knows {}:{}{}", other.endpoint.text(),
                       other.members.size(), model.endpoint.text(), model.members.size(),
                       only_in(model, other), only_in(other, model));
  }
  auto owner_of = [](const NodePicture& picture, Slot slot) -> std::string {
    for (const auto& [id, slots] : picture.slots) {
      if (slots.contains(slot)) return id.substr(0, 8);
    }
    return "nobody";
  };
  if (model.slots == other.slots) return "";
  SlotSet differing;
  for (size_t s = 0; s < kSlotCount; ++s) {
    auto slot = static_cast<Slot>(s);
    if (owner_of(model, slot) != owner_of(other, slot)) differing.insert(slot);
  }
  auto slot = static_cast<Slot>(differing.next(0));
  return fmt::format("{} gives slots {} to others: slot {} to {}, {} to {}", other.endpoint.text(),
                     format_slot_ranges(differing), slot, owner_of(other, slot),
                     model.endpoint.text(), owner_of(model, slot));
}

namespace {

// What keeps one node from agreeing with the first, or "".
std::string complaint(const std::vector<NodePicture>& pictures, size_t members, bool serving) {
  const NodePicture& last = pictures.back();
  if (last.members.size() != members) {
    return fmt::format("{} knows {} of {} members", last.endpoint.text(), last.members.size(),
                       members);
  }
  std::string differs = difference(pictures.front(), last);
  if (!differs.empty()) return differs;
  if (!serving || last.state == "ok") return "";
  return fmt::format("{} says cluster_state:{}", last.endpoint.text(), last.state);
}

// Names every node that lags behind, so that one look at the message is enough.
Result<void> look(ClusterClient& client, const std::vector<Endpoint>& nodes, size_t members,
                  bool serving) {
  std::vector<NodePicture> pictures;
  std::string laggards;
  ErrorCode code = ErrorCode::Timeout;
  for (const Endpoint& node : nodes) {
    Result<NodePicture> picture = picture_of(client, node);
    std::string text;
    if (picture) {
      pictures.push_back(*std::move(picture));
      text = complaint(pictures, members, serving);
    } else {
      code = picture.error().code;
      text = picture.error().message;
    }
    if (!text.empty()) laggards += (laggards.empty() ? "" : "; ") + text;
  }
  if (laggards.empty()) return {};
  return Error{code, laggards};
}

}  // namespace

Result<void> wait_for_agreement(ClusterClient& client, const std::vector<Endpoint>& nodes,
                                size_t members, bool serving, std::chrono::milliseconds timeout) {
  auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    Result<void> agreed = look(client, nodes, members, serving);
    if (agreed || std::chrono::steady_clock::now() > deadline) return agreed;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace slotd
