// parse_reply: takes no more than there is, and needs all of what it took.
#include "common/resp/value.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text = fuzz::Input(data, size).text();
  Value value;
  size_t consumed = 0;
  if (parse_reply(text, value, consumed) != ParseStatus::Done) return 0;
  FUZZ_CHECK(consumed > 0 && consumed <= text.size());
  Value again;
  size_t less = 0;
  FUZZ_CHECK(parse_reply(text.substr(0, consumed - 1), again, less) == ParseStatus::NeedMore);
  return 0;
}
