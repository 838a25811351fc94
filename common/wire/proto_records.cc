#include "common/wire/proto_records.h"

#include <algorithm>

namespace slotd {
namespace {

// A peer's strings end up in replies to clients and in logs, so nothing unprintable may pass.
bool is_ip_text(const std::string& text) {
  return text.size() <= kMaxIpBytes &&
         text.find_first_not_of("0123456789abcdefABCDEF.:") == std::string::npos;
}

bool is_hostname(const std::string& text) {
  return text.size() <= kMaxHostnameBytes &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '.' || c == '_';
         });
}

Result<NodeAddress> address_of(const pb::Record& in) {
  if (!is_ip_text(in.ip())) return Error{ErrorCode::Corrupt, "record: bad ip"};
  if (!is_hostname(in.hostname())) return Error{ErrorCode::Corrupt, "record: bad host name"};
  if (in.port() > 0xffff || in.bus_port() > 0xffff) {
    return Error{ErrorCode::Corrupt, "record: port above 65535"};
  }
  return NodeAddress{in.ip(), static_cast<uint16_t>(in.port()),
                     static_cast<uint16_t>(in.bus_port()), in.hostname()};
}

Result<std::vector<Dependency>> dependencies_of(const pb::Record& in) {
  if (static_cast<size_t>(in.after_size()) > kMaxDependencies) {
    return Error{ErrorCode::Corrupt, "record: too many dependencies"};
  }
  std::vector<Dependency> after;
  for (const pb::Dependency& item : in.after()) {
    Dependency dependency{{}, {item.version()}};
    if (!from_proto(item.author(), dependency.author)) {
      return Error{ErrorCode::Corrupt, "record: bad dependency"};
    }
    after.push_back(dependency);
  }
  return after;
}

}  // namespace

void to_proto(const NodeRecord& record, pb::Record& out) {
  out.set_id(to_proto(record.id));
  out.set_generation(record.generation.value);
  out.set_version(record.version.value);
  out.set_config_epoch(record.config_epoch.value);
  out.set_role(static_cast<uint32_t>(record.role));
  if (!record.master.is_zero()) out.set_master(to_proto(record.master));
  out.set_ip(record.address.ip);
  out.set_port(record.address.port);
  out.set_bus_port(record.address.bus_port);
  out.set_hostname(record.address.hostname);
  out.set_slots_encoding(static_cast<uint32_t>(record.slots.encoding()));
  out.set_slots(record.slots.bytes().data(), record.slots.bytes().size());
  for (const Dependency& dependency : record.after) {
    pb::Dependency* item = out.add_after();
    item->set_author(to_proto(dependency.author));
    item->set_version(dependency.version.value);
  }
}

Result<NodeRecord> from_proto(const pb::Record& in) {
  NodeRecord record;
  if (!from_proto(in.id(), record.id)) return Error{ErrorCode::Corrupt, "record: bad node id"};
  record.generation = {in.generation()};
  record.version = {in.version()};
  record.config_epoch = {in.config_epoch()};
  if (in.role() != 1 && in.role() != 2) {
    return make_error(ErrorCode::Corrupt, "record: unknown role {}", in.role());
  }
  record.role = static_cast<NodeRole>(in.role());
  if (!in.master().empty() && !from_proto(in.master(), record.master)) {
    return Error{ErrorCode::Corrupt, "record: bad master id"};
  }
  Result<NodeAddress> address = address_of(in);
  if (!address) return address.error();
  record.address = *address;
  if (in.slots_encoding() > 0xff) return Error{ErrorCode::Corrupt, "record: bad slots encoding"};
  Result<MySlots> slots =
      MySlots::parse(static_cast<uint8_t>(in.slots_encoding()), as_bytes(in.slots()));
  if (!slots) return slots.error();
  record.slots = *slots;
  Result<std::vector<Dependency>> after = dependencies_of(in);
  if (!after) return after.error();
  record.after = *after;
  return record;
}

void to_proto(const Rumour& rumour, pb::Rumour& out) {
  if (const auto* removal = std::get_if<Removal>(&rumour)) {
    out.set_removed(to_proto(removal->id));
    out.set_generation(removal->generation.value);
    return;
  }
  const auto& news = std::get<MemberNews>(rumour);
  to_proto(*news.record, *out.mutable_record());
  out.set_failed(news.failed);
}

Result<Rumour> from_proto(const pb::Rumour& in) {
  if (!in.removed().empty()) {
    Removal removal{{}, {in.generation()}};
    if (!from_proto(in.removed(), removal.id)) {
      return Error{ErrorCode::Corrupt, "removal: bad node id"};
    }
    return Rumour{removal};
  }
  Result<NodeRecord> record = from_proto(in.record());
  if (!record) return record.error();
  return Rumour{MemberNews{std::make_shared<NodeRecord>(*std::move(record)), in.failed()}};
}

}  // namespace slotd
