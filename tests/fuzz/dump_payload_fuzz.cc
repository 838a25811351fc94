// parse_dump_payload: first byte even: the payload as it is; odd: the body, to which version and
// checksum are put. A value that is accepted survives writing.
#include "daemon/client/dump_payload.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

namespace {

std::string with_footer(std::string_view body) {
  constexpr uint8_t kVersion = 10;
  std::string payload(body);
  payload.push_back(static_cast<char>(kVersion));
  payload.push_back(0);
  uint64_t crc = crc64_jones(as_bytes(payload));
  for (int i = 0; i < 8; ++i) payload.push_back(static_cast<char>(crc >> (8 * i)));
  return payload;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  bool body_only = input.byte() % 2 == 1;
  std::string payload(input.text());
  Result<std::string> value = parse_dump_payload(body_only ? with_footer(payload) : payload);
  if (!value) return 0;
  Result<std::string> again = parse_dump_payload(make_dump_payload(*value));
  FUZZ_CHECK(again.ok() && *again == *value);
  return 0;
}
