// parse_nodes_text: slotctl reads it from servers it does not know.
#include "common/text/nodes_text.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text = fuzz::Input(data, size).text();
  Result<std::vector<NodeLine>> lines = parse_nodes_text(text);
  if (!lines) {
    FUZZ_CHECK(!lines.error().message.empty());
    return 0;
  }
  FUZZ_CHECK(lines->size() <= text.size());
  return 0;
}
