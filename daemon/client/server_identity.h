#pragma once

#include <string_view>

namespace slotd {

// Whom clients take us for: libraries switch features on by it.
inline constexpr std::string_view kCompatibleVersion = "7.0.15";
inline constexpr std::string_view kSlotdVersion = "0.1.0";

}  // namespace slotd
