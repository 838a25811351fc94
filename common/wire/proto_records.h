#pragma once

// Private to common/wire: records between plain structs and generated types.

#include "bus.pb.h"
#include "common/base/result.h"
#include "common/cluster/output.h"

namespace slotd {

template <typename Tag>
std::string to_proto(const Id<Tag>& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

template <typename Tag>
[[nodiscard]] bool from_proto(const std::string& bytes, Id<Tag>& id) {
  if (bytes.size() != kNodeIdBytes) return false;
  std::copy(bytes.begin(), bytes.end(), id.bytes.begin());
  return !id.is_zero();
}

void to_proto(const NodeRecord& record, pb::Record& out);
Result<NodeRecord> from_proto(const pb::Record& in);

void to_proto(const Rumour& rumour, pb::Rumour& out);
Result<Rumour> from_proto(const pb::Rumour& in);

}  // namespace slotd
