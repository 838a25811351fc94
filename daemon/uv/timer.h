#pragma once

#include <functional>
#include <memory>

#include "common/base/time.h"
#include "daemon/uv/handle.h"
#include "daemon/uv/loop.h"

namespace slotd {

// Calls back once or again and again; destroying it, also from its own callback, ends that.
class Timer {
 public:
  Timer(Loop& loop, std::function<void()> callback);
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Restarts it if it runs. Rounded up to whole milliseconds.
  void start(Duration delay);
  void repeat(Duration period);
  void stop() { uv_timer_stop(handle_.get()); }
  bool active() const;

 private:
  static void fire(uv_timer_t* handle);

  std::shared_ptr<const std::function<void()>> callback_;  // outlives the timer while it runs
  UvPtr<uv_timer_t> handle_;
};

}  // namespace slotd
