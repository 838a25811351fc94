#include "daemon/client/dump_payload.h"

#include <array>
#include <limits>
#include <optional>

#include "common/base/limits.h"
#include "common/resp/number.h"

namespace slotd {
namespace {

constexpr uint16_t kRdbVersion = 10;        // what Redis 7.0 writes
constexpr uint16_t kNewestRdbVersion = 11;  // strings are the same in it
constexpr uint8_t kStringType = 0;
constexpr size_t kFooterBytes = 10;

// Encodings of a length's first byte, top two bits, and of what 11 means.
constexpr uint8_t kInt8 = 0xc0, kInt16 = 0xc1, kInt32 = 0xc2, kLzf = 0xc3;
constexpr uint8_t kLength32 = 0x80, kLength64 = 0x81;

constexpr std::array<uint64_t, 256> make_crc_table() {
  constexpr uint64_t kReflectedPolynomial = 0x95ac9329ac4bc9b5u;
  std::array<uint64_t, 256> table{};
  for (uint64_t i = 0; i < 256; ++i) {
    uint64_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kReflectedPolynomial : 0);
    table[i] = crc;
  }
  return table;
}

void append_little_endian(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

uint64_t load_little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

void append_length(std::string& out, size_t length) {
  if (length < 1u << 6) {
    out.push_back(static_cast<char>(length));
  } else if (length < 1u << 14) {
    out.push_back(static_cast<char>(0x40 | length >> 8));
    out.push_back(static_cast<char>(length & 0xff));
  } else {
    SLOT_ASSERT(length <= std::numeric_limits<uint32_t>::max());
    out.push_back(static_cast<char>(kLength32));
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.push_back(static_cast<char>(length >> shift & 0xff));
    }
  }
}

template <typename Int>
bool fits(int64_t value) {
  return value >= std::numeric_limits<Int>::min() && value <= std::numeric_limits<Int>::max();
}

bool append_integer(std::string& out, std::string_view value) {
  constexpr size_t kLongest = 11;  // "-2147483648"
  int64_t number = 0;
  if (value.size() > kLongest || !parse_integer(value, number) || !fits<int32_t>(number)) {
    return false;
  }
  uint8_t code = fits<int8_t>(number) ? kInt8 : fits<int16_t>(number) ? kInt16 : kInt32;
  out.push_back(static_cast<char>(code));
  append_little_endian(out, static_cast<uint64_t>(number), 1 << (code - kInt8));
  return true;
}

// Reads the body of a payload; every step may find too few bytes.
class PayloadReader {
 public:
  explicit PayloadReader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }

  std::optional<std::string> string() {
    auto first = byte();
    if (!first) return std::nullopt;
    switch (*first) {
      case kInt8:
        return integer<int8_t>();
      case kInt16:
        return integer<int16_t>();
      case kInt32:
        return integer<int32_t>();
      case kLzf:
        return compressed();
      default:
        break;
    }
    auto size = length(*first);
    if (!size) return std::nullopt;
    auto body = take(*size);
    if (!body) return std::nullopt;
    return std::string(*body);
  }

 private:
  std::optional<uint8_t> byte() {
    auto one = take(1);
    if (!one) return std::nullopt;
    return static_cast<uint8_t>(one->front());
  }

  std::optional<std::string_view> take(uint64_t count) {
    if (count > bytes_.size()) return std::nullopt;
    std::string_view front = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return front;
  }

  std::optional<uint64_t> length(uint8_t first) {
    if (first < 0x40) return first;
    bool short_form = first < 0x80;
    if (!short_form && first != kLength32 && first != kLength64) return std::nullopt;
    auto more = take(short_form ? 1 : first == kLength32 ? 4 : 8);
    if (!more) return std::nullopt;
    uint64_t value = short_form ? first & 0x3f : 0;
    for (char c : *more) value = value << 8 | static_cast<uint8_t>(c);
    return value;
  }

  std::optional<uint64_t> length() {
    auto first = byte();
    return first ? length(*first) : std::nullopt;
  }

  template <typename Int>
  std::optional<std::string> integer() {
    auto body = take(sizeof(Int));
    if (!body) return std::nullopt;
    return std::to_string(static_cast<Int>(load_little_endian(*body)));
  }

  std::optional<std::string> compressed() {
    auto packed_size = length();
    auto size = packed_size ? length() : std::nullopt;
    auto packed = size ? take(*packed_size) : std::nullopt;
    if (!packed || *size > kMaxBulkBytes) return std::nullopt;
    return expand(*packed, *size);
  }

  // LZF (M. Lehmann): a control byte below 32 announces so many literals and one more; any other a
  // copy of earlier output, its length in the top three bits (7: one more byte), its distance in
  // the other five and the next byte.
  static std::optional<std::string> expand(std::string_view packed, uint64_t size) {
    std::string out;
    size_t at = 0;
    auto next = [&] { return static_cast<uint8_t>(packed[at++]); };
    while (at < packed.size()) {
      uint8_t control = next();
      if (control < 32) {
        size_t count = size_t{control} + 1;
        if (count > packed.size() - at) return std::nullopt;
        out.append(packed.substr(at, count));
        at += count;
      } else {
        size_t count = size_t{control} >> 5;
        if (packed.size() - at < (count == 7 ? 2u : 1u)) return std::nullopt;
        if (count == 7) count += next();
        size_t distance = (size_t{control & 0x1fu} << 8 | next()) + 1;
        if (distance > out.size()) return std::nullopt;
        for (size_t i = 0; i < count + 2; ++i) out.push_back(out[out.size() - distance]);
      }
      if (out.size() > size) return std::nullopt;
    }
    if (out.size() != size) return std::nullopt;
    return out;
  }

  std::string_view bytes_;
};

}  // namespace

uint64_t crc64_jones(ByteView bytes) {
  static constexpr std::array<uint64_t, 256> kTable = make_crc_table();
  uint64_t crc = 0;
  for (uint8_t byte : bytes) crc = kTable[(crc ^ byte) & 0xff] ^ crc >> 8;
  return crc;
}

std::string make_dump_payload(std::string_view value) {
  std::string out;
  out.reserve(value.size() + 6 + kFooterBytes);
  out.push_back(static_cast<char>(kStringType));
  if (!append_integer(out, value)) {
    append_length(out, value.size());
    out += value;
  }
  append_little_endian(out, kRdbVersion, 2);
  append_little_endian(out, crc64_jones(as_bytes(out)), 8);
  return out;
}

Result<std::string> parse_dump_payload(std::string_view payload) {
  if (payload.size() < kFooterBytes) {
    return make_error(ErrorCode::Refused, "payload of {} bytes", payload.size());
  }
  std::string_view body = payload.substr(0, payload.size() - kFooterBytes);
  uint64_t version = load_little_endian(payload.substr(body.size(), 2));
  uint64_t checksum = load_little_endian(payload.substr(body.size() + 2));
  if (version > kNewestRdbVersion) {
    return make_error(ErrorCode::Refused, "payload of RDB version {}", version);
  }
  if (checksum != crc64_jones(as_bytes(payload.substr(0, payload.size() - 8)))) {
    return make_error(ErrorCode::Refused, "payload with a wrong checksum");
  }
  if (body.empty() || static_cast<uint8_t>(body.front()) != kStringType) {
    return make_error(ErrorCode::Corrupt, "payload is no string");
  }
  PayloadReader reader(body.substr(1));
  std::optional<std::string> value = reader.string();
  if (!value || !reader.at_end() || value->size() > kMaxBulkBytes) {
    return make_error(ErrorCode::Corrupt, "payload does not decode");
  }
  return *std::move(value);
}

}  // namespace slotd
