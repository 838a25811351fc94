#include "common/wire/state_file.h"

#include "common/wire/proto_records.h"

namespace slotd {
namespace {

constexpr std::string_view kMagic = "slotd-state 1\n";
constexpr size_t kHeaderBytes = kMagic.size() + 8;

void fill_open(const std::map<Slot, NodeId>& open,
               google::protobuf::RepeatedPtrField<pb::OpenSlot>& out) {
  for (const auto& [slot, node] : open) {
    pb::OpenSlot* item = out.Add();
    item->set_slot(slot);
    item->set_node(to_proto(node));
  }
}

Result<std::map<Slot, NodeId>> read_open(
    const google::protobuf::RepeatedPtrField<pb::OpenSlot>& in) {
  std::map<Slot, NodeId> open;
  for (const pb::OpenSlot& item : in) {
    NodeId node;
    if (item.slot() >= kSlotCount || !from_proto(item.node(), node)) {
      return Error{ErrorCode::Corrupt, "state file: bad open slot"};
    }
    open[static_cast<Slot>(item.slot())] = node;
  }
  return open;
}

Result<PersistentState> unpack(const pb::State& in) {
  PersistentState state;
  if (!from_proto(in.cluster(), state.cluster)) {
    return Error{ErrorCode::Corrupt, "state file: bad cluster id"};
  }
  Result<NodeRecord> self = from_proto(in.self());
  if (!self) return make_error(ErrorCode::Corrupt, "state file: own {}", self.error().message);
  state.self = *std::move(self);
  state.current_epoch = {in.current_epoch()};
  state.removed = in.removed();
  for (const pb::Record& item : in.members()) {
    Result<NodeRecord> member = from_proto(item);
    if (!member)
      return make_error(ErrorCode::Corrupt, "state file: member {}", member.error().message);
    state.members.push_back(*std::move(member));
  }
  for (const pb::Rumour& item : in.removals()) {
    Result<Rumour> removal = from_proto(item);
    if (!removal || !std::holds_alternative<Removal>(*removal)) {
      return Error{ErrorCode::Corrupt, "state file: bad removal"};
    }
    state.removals.push_back(std::get<Removal>(*removal));
  }
  Result<std::map<Slot, NodeId>> migrating = read_open(in.migrating());
  if (!migrating) return migrating.error();
  Result<std::map<Slot, NodeId>> importing = read_open(in.importing());
  if (!importing) return importing.error();
  state.migrating = *std::move(migrating);
  state.importing = *std::move(importing);
  return state;
}

}  // namespace

Bytes encode_state(const PersistentState& state) {
  pb::State out;
  out.set_cluster(to_proto(state.cluster));
  to_proto(state.self, *out.mutable_self());
  out.set_current_epoch(state.current_epoch.value);
  out.set_removed(state.removed);
  for (const NodeRecord& member : state.members) to_proto(member, *out.add_members());
  for (const Removal& removal : state.removals) to_proto(Rumour{removal}, *out.add_removals());
  fill_open(state.migrating, *out.mutable_migrating());
  fill_open(state.importing, *out.mutable_importing());
  std::string payload = out.SerializeAsString();
  Bytes bytes(kMagic.begin(), kMagic.end());
  bytes.resize(kHeaderBytes);
  store_le32(&bytes[kMagic.size()], static_cast<uint32_t>(payload.size()));
  store_le32(&bytes[kMagic.size() + 4], crc32c(as_bytes(payload)));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

Result<PersistentState> decode_state(ByteView bytes) {
  if (bytes.size() < kHeaderBytes || as_text(bytes.first(kMagic.size())) != kMagic) {
    return make_error(ErrorCode::Corrupt, "state file: {} bytes that do not start with '{}'",
                      bytes.size(), kMagic.substr(0, kMagic.size() - 1));
  }
  size_t length = load_le32(&bytes[kMagic.size()]);
  ByteView payload = bytes.subspan(kHeaderBytes);
  if (payload.size() != length) {
    return make_error(ErrorCode::Corrupt, "state file: {} bytes of content, the header says {}",
                      payload.size(), length);
  }
  if (crc32c(payload) != load_le32(&bytes[kMagic.size() + 4])) {
    return Error{ErrorCode::Corrupt, "state file: the checksum does not match the content"};
  }
  pb::State proto;
  if (!proto.ParseFromArray(payload.data(), static_cast<int>(payload.size()))) {
    return Error{ErrorCode::Corrupt, "state file: the content does not parse"};
  }
  return unpack(proto);
}

}  // namespace slotd
