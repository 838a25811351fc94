#include "common/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace slotd {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "slotd: broken invariant: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace slotd
