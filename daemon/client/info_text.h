#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/client/client_context.h"

namespace slotd {

// INFO: the sections asked for ("all", "everything", "default" and nothing: every one), in Redis'
// order and wording, and our own "slotd_bus". Unknown names give nothing.
std::string info_text(ClientContext& context, std::span<const std::string_view> sections);

}  // namespace slotd
