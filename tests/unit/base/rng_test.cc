#include "common/base/rng.h"

#include <catch2/catch.hpp>

#include <set>

#include "common/base/bytes.h"

using namespace slotd;

TEST_CASE("the same seed gives the same stream, another seed another") {
  Rng a(4711), b(4711), c(4712);
  bool differs = false;
  for (int i = 0; i < 1000; ++i) {
    uint64_t value = a.next();
    REQUIRE(value == b.next());
    differs |= value != c.next();
  }
  CHECK(differs);
}

TEST_CASE("SplitMix64 has the known answers of seed 0") {
  Rng rng(0);
  CHECK(rng.next() == 0xe220a8397b1dcdafu);
  CHECK(rng.next() == 0x6e789e6aa1b965f4u);
  CHECK(rng.next() == 0x06c45d188009454fu);
}

TEST_CASE("draws stay within their bounds and reach both ends") {
  Rng rng(1);
  std::set<uint64_t> below;
  std::set<int64_t> between;
  for (int i = 0; i < 1000; ++i) {
    below.insert(rng.below(5));
    between.insert(rng.between(-2, 2));
  }
  CHECK(below == std::set<uint64_t>{0, 1, 2, 3, 4});
  CHECK(between == std::set<int64_t>{-2, -1, 0, 1, 2});
  CHECK(rng.below(1) == 0);
  CHECK(rng.between(9, 9) == 9);
}

TEST_CASE("what a split stream draws does not shift its parent's") {
  Rng a(1), b(1);
  Rng child = a.split();
  b.split();
  for (int i = 0; i < 100; ++i) child.next();
  CHECK(a.next() == b.next());
}

TEST_CASE("hashes are part of the protocol and never change") {
  CHECK(mix64(0) == 0xe220a8397b1dcdafu);
  CHECK(hash_bytes(as_bytes(""), 0) == 0xe220a8397b1dcdafu);
  CHECK(hash_bytes(as_bytes("123456789"), 0) == 0x8e1e2a43933f6de0u);
  CHECK(hash_bytes(as_bytes("123456789"), 1) == 0x3942a3914c5c8b0eu);
  CHECK(hash_combine(1, 2) == 0xe06dd043328bd285u);
  CHECK(hash_combine(1, 2) != hash_combine(2, 1));
}

TEST_CASE("bytes hash differently when they differ in length alone") {
  Bytes zeros;
  std::set<uint64_t> hashes;
  for (int i = 0; i < 40; ++i) {
    hashes.insert(hash_bytes(zeros, 0));
    zeros.push_back(0);
  }
  CHECK(hashes.size() == 40);
}
