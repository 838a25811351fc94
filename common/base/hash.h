#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace slotd {

// The finaliser of SplitMix64 (Steele, Lea, Flood, 2014): a bijection on 64 bits in which each
// input bit flips each output bit with probability close to one half. Not cryptographic.
constexpr uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr uint64_t hash_combine(uint64_t seed, uint64_t value) {
  return mix64(seed ^ mix64(value));
}

// Part of the protocol (view digests, overlay rings): the same bytes hash to the same value on
// every node, so the byte order is fixed to little-endian and the result may never change.
inline uint64_t hash_bytes(std::span<const uint8_t> bytes, uint64_t seed) {
  uint64_t hash = mix64(seed ^ bytes.size());
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word = 0;
    for (size_t b = 0; b < 8; ++b) word |= uint64_t{bytes[i + b]} << (8 * b);
    hash = hash_combine(hash, word);
  }
  uint64_t tail = 0;
  for (size_t b = 0; i + b < bytes.size(); ++b) tail |= uint64_t{bytes[i + b]} << (8 * b);
  return hash_combine(hash, tail);
}

}  // namespace slotd
