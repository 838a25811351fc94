#pragma once

#include <functional>

#include "daemon/uv/handle.h"
#include "daemon/uv/loop.h"

namespace slotd {

// Calls back from the loop on SIGINT and SIGTERM, until it is destroyed.
class SignalWatcher {
 public:
  SignalWatcher(Loop& loop, std::function<void(int)> callback);
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  static void fire(uv_signal_t* handle, int number);

  std::function<void(int)> callback_;
  UvPtr<uv_signal_t> interrupt_;
  UvPtr<uv_signal_t> terminate_;
};

}  // namespace slotd
