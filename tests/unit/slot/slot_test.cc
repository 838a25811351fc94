#include "common/slot/slot.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <string>

#include "common/base/rng.h"

using namespace slotd;

namespace {

// The polynomial division of CRC-16/XMODEM, a bit at a time.
uint16_t bitwise_crc16(ByteView bytes) {
  unsigned crc = 0;
  for (uint8_t byte : bytes) {
    crc ^= unsigned{byte} << 8;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
    }
  }
  return static_cast<uint16_t>(crc);
}

}  // namespace

TEST_CASE("crc16 has the known answer") {
  CHECK(crc16(as_bytes("123456789")) == 0x31c3);
  CHECK(crc16(as_bytes("")) == 0);
}

TEST_CASE("crc16 equals its bitwise twin at every length") {
  Rng rng(1);
  for (size_t length = 0; length <= 300; ++length) {
    Bytes bytes(length);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.next());
    REQUIRE(crc16(bytes) == bitwise_crc16(bytes));
  }
}

TEST_CASE("keys fall into the slots of Redis Cluster") {
  std::ifstream file(SLOTD_SOURCE_DIR "/tests/data/keyslot.tsv");
  REQUIRE(file.is_open());
  size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    size_t tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    std::string key(tab / 2, '\0');
    REQUIRE(from_hex(line.substr(0, tab), {reinterpret_cast<uint8_t*>(key.data()), key.size()}));
    CAPTURE(key);
    CHECK(key_slot(key) == std::stoi(line.substr(tab + 1)));
    ++cases;
  }
  CHECK(cases == 18);
}

TEST_CASE("hash tags as the specification has them") {
  CHECK(key_slot("foo{}{bar}") == 8363);
  CHECK(key_slot("{}foo") == 9500);
  CHECK(key_slot("{}") == 15257);
  CHECK(key_slot("{}}") == 14790);
  CHECK(key_slot("}{abc") == 15680);
  CHECK(key_slot("{abc") == 444);
  CHECK(key_slot("{}abc") == 5980);
  CHECK(key_slot("a{b}c") == 3300);
  CHECK(key_slot("user:{tag}:1") == 8338);
  CHECK(key_slot("A}B{C") == 7939);
  CHECK(key_slot("fag{bar}") == 5061);
  CHECK(key_slot("foo{bar}{zap}") == 5061);
}

TEST_CASE("the hash tag is the part between the first braces") {
  CHECK(hash_tag("plain") == "plain");
  CHECK(hash_tag("") == "");
  CHECK(hash_tag("a{b}c") == "b");
  CHECK(hash_tag("a{{b}}c") == "{b");
  CHECK(hash_tag("a{}c{d}") == "a{}c{d}");
  CHECK(hash_tag("a{b") == "a{b");
  CHECK(hash_tag("a}b{c") == "a}b{c");
  CHECK(hash_tag(std::string_view("a{\0}b", 5)) == std::string_view("\0", 1));
}
