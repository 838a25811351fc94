#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotd {

using Bytes = std::vector<uint8_t>;
using ByteView = std::span<const uint8_t>;

inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline void store_le32(uint8_t* out, uint32_t value) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<uint8_t>(value >> (8 * i));
}
inline uint32_t load_le32(const uint8_t* in) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value |= uint32_t{in[i]} << (8 * i);
  return value;
}

inline uint64_t load_be64(const uint8_t* in) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | in[i];
  return value;
}

// Lower-case hexadecimal, two digits a byte.
std::string to_hex(ByteView bytes);
// False unless `text` is exactly 2 * out.size() hexadecimal digits; `out` is then unspecified.
[[nodiscard]] bool from_hex(std::string_view text, std::span<uint8_t> out);

// CRC-32C (Castagnoli, reflected, as in iSCSI, RFC 3720), bitwise-table; guards files, not peers.
uint32_t crc32c(ByteView bytes);

}  // namespace slotd
