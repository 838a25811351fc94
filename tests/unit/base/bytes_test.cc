#include "common/base/bytes.h"

#include <catch2/catch.hpp>

#include <array>

#include "common/base/rng.h"

using namespace slotd;

namespace {

// One bit at a time, straight from RFC 3720: the twin of the table.
uint32_t bitwise_crc32c(ByteView bytes) {
  uint32_t crc = 0xffffffffu;
  for (uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
  }
  return ~crc;
}

}  // namespace

TEST_CASE("crc32c has the known answers of RFC 3720") {
  CHECK(crc32c(as_bytes("123456789")) == 0xe3069283u);
  CHECK(crc32c(as_bytes("")) == 0u);
  CHECK(crc32c(Bytes(32, 0x00)) == 0x8a9136aau);
  CHECK(crc32c(Bytes(32, 0xff)) == 0x62a8ab43u);
}

TEST_CASE("crc32c equals its bitwise twin at every length") {
  Rng rng(1);
  Bytes bytes;
  for (size_t length = 0; length <= 300; ++length) {
    REQUIRE(crc32c(bytes) == bitwise_crc32c(bytes));
    bytes.push_back(static_cast<uint8_t>(rng.next()));
  }
}

TEST_CASE("hexadecimal round trips and is refused when it is not exactly that") {
  std::array<uint8_t, 4> bytes{0x00, 0x0f, 0xa0, 0xff};
  CHECK(to_hex(bytes) == "000fa0ff");
  std::array<uint8_t, 4> parsed{};
  REQUIRE(from_hex("000fa0ff", parsed));
  CHECK(parsed == bytes);
  REQUIRE(from_hex("000FA0FF", parsed));
  CHECK(parsed == bytes);
  for (const char* bad :
       {"", "000fa0f", "000fa0ff0", "000fa0fg", " 00fa0ff", "0x0fa0ff", "000fa0-1"}) {
    CHECK_FALSE(from_hex(bad, parsed));
  }
}

TEST_CASE("32-bit words are little-endian wherever this runs") {
  uint8_t bytes[4];
  store_le32(bytes, 0x01020304u);
  CHECK(bytes[0] == 4);
  CHECK(bytes[3] == 1);
  for (uint32_t value : {0u, 1u, 0x80000000u, 0xffffffffu}) {
    store_le32(bytes, value);
    CHECK(load_le32(bytes) == value);
  }
}
