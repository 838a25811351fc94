#pragma once

namespace slotd {

// Reports the broken invariant on stderr and aborts. An assertion states what our own code
// promises; it never checks what a peer, a client or a file said.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace slotd

// On in release builds too: a daemon with a broken invariant must stop, not spread it.
#define SLOT_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::slotd::assertion_failed(#expression, __FILE__, __LINE__))
