#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "common/base/bytes.h"

// What every harness is made of: the bytes that libFuzzer hands over, read from the front, and a
// check that ends the run with the place that failed.
#define FUZZ_CHECK(expression) \
  ((expression)                \
       ? static_cast<void>(0)  \
       : (std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #expression), std::abort()))

namespace slotd::fuzz {

class Input {
 public:
  Input(const uint8_t* data, size_t size) : left_(data, size) {}

  // Zero when there is none left.
  uint8_t byte() {
    if (left_.empty()) return 0;
    uint8_t first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }
  ByteView rest() const { return left_; }
  std::string_view text() const { return as_text(left_); }

 private:
  ByteView left_;
};

}  // namespace slotd::fuzz

// Declared before it is defined, as -Wmissing-prototypes would have it; libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
