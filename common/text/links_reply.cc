#include "common/text/links_reply.h"

#include <algorithm>

namespace slotd {

void write_links_reply(RespWriter& out, std::span<const LinkStatus> links, Duration unix_offset) {
  auto up = std::count_if(links.begin(), links.end(),
                          [](const LinkStatus& link) { return link.connected; });
  out.array(static_cast<size_t>(up));
  for (const LinkStatus& link : links) {
    if (!link.connected) continue;
    out.map(6);
    out.bulk("direction");
    out.bulk(link.outbound ? "to" : "from");
    out.bulk("node");
    out.bulk(link.peer.hex());
    out.bulk("create-time");
    out.integer(to_ms(link.since + unix_offset));
    out.bulk("events");
    out.bulk("r");
    out.bulk("send-buffer-allocated");
    out.integer(0);
    out.bulk("send-buffer-used");
    out.integer(0);
  }
}

}  // namespace slotd
