#pragma once

#include <string>
#include <string_view>

#include "common/base/bytes.h"
#include "common/base/result.h"

namespace slotd {

// What DUMP gives and RESTORE takes, in Redis' own form for strings: type byte 0, the string in
// RDB's encoding (plain, integer or LZF), the RDB version in two bytes and a CRC-64 in eight, both
// little-endian.

// Plain or integer; never compressed.
std::string make_dump_payload(std::string_view value);

// Refused: a wrong checksum or a newer RDB version (ErrorCode::Refused), another type or bytes that
// do not decode (ErrorCode::Corrupt). Never gives more than kMaxBulkBytes.
Result<std::string> parse_dump_payload(std::string_view payload);

// CRC-64 with Jones' polynomial, reflected, as in Redis ("123456789" gives 0xe9c6d914c4b8d9ca).
uint64_t crc64_jones(ByteView bytes);

}  // namespace slotd
