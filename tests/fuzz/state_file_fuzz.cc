// The state file: first byte even: the file as it is; odd: the content, to which a right header is
// put, for the checksum would stop nearly everything. A state that is accepted survives writing.
#include "common/wire/state_file.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

namespace {

Bytes with_header(ByteView payload) {
  constexpr std::string_view kMagic = "slotd-state 1\n";
  Bytes file(kMagic.begin(), kMagic.end());
  file.resize(kMagic.size() + 8);
  store_le32(&file[kMagic.size()], static_cast<uint32_t>(payload.size()));
  store_le32(&file[kMagic.size() + 4], crc32c(payload));
  file.insert(file.end(), payload.begin(), payload.end());
  return file;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  bool content_only = input.byte() % 2 == 1;
  Bytes file(input.rest().begin(), input.rest().end());
  Result<PersistentState> state = decode_state(content_only ? with_header(input.rest()) : file);
  if (!state) {
    FUZZ_CHECK(!state.error().message.empty());
    return 0;
  }
  Bytes written = encode_state(*state);
  Result<PersistentState> again = decode_state(written);
  FUZZ_CHECK(again.ok());
  FUZZ_CHECK(encode_state(*again) == written);
  return 0;
}
