#pragma once

#include <algorithm>
#include <string_view>

#include "daemon/client/client_context.h"

namespace slotd {

// Looks at every byte whatever differs, so that the time taken says nothing about the password.
inline bool equal_in_constant_time(std::string_view a, std::string_view b) {
  unsigned differs = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i) {
    differs |= static_cast<unsigned>(a[i] ^ (b.empty() ? '\0' : b[i % b.size()]));
  }
  return differs == 0;
}

// There is one user, "default"; without requirepass any password is right for it.
inline bool credentials_match(const ClientSettings& settings, std::string_view user,
                              std::string_view password) {
  if (user != "default") return false;
  return settings.requirepass.empty() || equal_in_constant_time(password, settings.requirepass);
}

// What a client may be called: printable, without blanks.
inline bool is_client_word(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; });
}

}  // namespace slotd
