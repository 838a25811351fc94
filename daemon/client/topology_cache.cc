#include "daemon/client/topology_cache.h"

namespace slotd {

const std::string& TopologyCache::get(Kind kind, RespVersion version, const ClusterView& view,
                                      std::string_view own_ip, Write write) {
  Entry& entry =
      entries_[static_cast<size_t>(kind)][version == RespVersion::Resp3 ? size_t{1} : size_t{0}];
  bool fresh = !entry.reply.empty() && entry.revision == view.revision && entry.own_ip == own_ip;
  if (fresh) return entry.reply;
  entry.revision = view.revision;
  entry.own_ip = own_ip;
  entry.reply.clear();
  RespWriter writer(entry.reply, version);
  write(writer, view, own_ip);
  return entry.reply;
}

}  // namespace slotd
