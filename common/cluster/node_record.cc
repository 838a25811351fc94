#include "common/cluster/node_record.h"

namespace slotd {

uint64_t content_hash(const NodeRecord& record) {
  uint64_t hash = hash_combine(record.config_epoch.value, static_cast<uint64_t>(record.role));
  hash = hash_combine(hash, record.master.hash());
  hash = hash_combine(hash, uint64_t{record.address.port} << 16 | record.address.bus_port);
  hash = hash_combine(hash, hash_bytes(as_bytes(record.address.ip), 1));
  hash = hash_combine(hash, hash_bytes(as_bytes(record.address.hostname), 2));
  hash = hash_combine(hash, static_cast<uint64_t>(record.slots.encoding()));
  return hash_bytes(record.slots.bytes(), hash);
}

}  // namespace slotd
