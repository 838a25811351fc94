// Config: "name value" lines, as CONFIG SET and the command line give them. A value that is
// accepted is accepted again as it is shown.
#include "daemon/config.h"
#include "tests/fuzz/fuzz_input.h"

using namespace slotd;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text = fuzz::Input(data, size).text();
  Config config;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    size_t blank = std::min(line.find(' '), line.size());
    std::string_view name = line.substr(0, blank);
    std::string_view value = line.substr(std::min(blank + 1, line.size()));
    if (!config.set(name, value).ok()) continue;
    (void)config.cluster();
  }
  Config other;
  for (const auto& [name, value] : config.all()) {
    FUZZ_CHECK(other.set(name, value).ok());
    FUZZ_CHECK(other.text(name) == value);
  }
  return 0;
}
