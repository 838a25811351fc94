#include "common/slot/slot.h"

#include <array>

namespace slotd {
namespace {

constexpr std::array<uint16_t, 256> byte_table() {
  std::array<uint16_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ ((crc & 0x8000u) != 0 ? 0x1021u : 0u);
    table[byte] = static_cast<uint16_t>(crc);
  }
  return table;
}

// table[k][b] is the CRC of byte b followed by k zero bytes: eight bytes are folded in one step
// whose look-ups do not wait for each other (slicing-by-8: Kounavis and Berry, 2005).
constexpr std::array<std::array<uint16_t, 256>, 8> slicing_tables() {
  std::array<std::array<uint16_t, 256>, 8> table{};
  table[0] = byte_table();
  for (size_t k = 1; k < 8; ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      uint16_t crc = table[k - 1][byte];
      table[k][byte] = static_cast<uint16_t>((crc << 8) ^ table[0][crc >> 8]);
    }
  }
  return table;
}

constexpr auto kTable = slicing_tables();

}  // namespace

uint16_t crc16(ByteView bytes) {
  uint32_t crc = 0;
  const uint8_t* in = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, in += 8) {
    crc = static_cast<uint32_t>(kTable[7][in[0] ^ (crc >> 8)] ^ kTable[6][in[1] ^ (crc & 0xff)] ^
                                kTable[5][in[2]] ^ kTable[4][in[3]] ^ kTable[3][in[4]] ^
                                kTable[2][in[5]] ^ kTable[1][in[6]] ^ kTable[0][in[7]]);
  }
  for (; left > 0; --left, ++in) {
    crc = ((crc << 8) & 0xffff) ^ kTable[0][(crc >> 8) ^ *in];
  }
  return static_cast<uint16_t>(crc);
}

std::string_view hash_tag(std::string_view key) {
  size_t open = key.find('{');
  if (open == std::string_view::npos) return key;
  size_t close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

Slot key_slot(std::string_view key) {
  return static_cast<Slot>(crc16(as_bytes(hash_tag(key))) & (kSlotCount - 1));
}

}  // namespace slotd
