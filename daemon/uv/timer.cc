#include "daemon/uv/timer.h"

#include <algorithm>

namespace slotd {
namespace {

uint64_t whole_ms(Duration delay) {
  return static_cast<uint64_t>(std::max<int64_t>(0, (delay.count() + 999) / 1000));
}

}  // namespace

Timer::Timer(Loop& loop, std::function<void()> callback)
    : callback_(std::make_shared<const std::function<void()>>(std::move(callback))),
      handle_(make_uv<uv_timer_t>(
          &callback_, [&](uv_timer_t* handle) { return uv_timer_init(loop.get(), handle); })) {}

void Timer::fire(uv_timer_t* handle) {
  if (handle->data == nullptr) return;
  auto callback = *static_cast<std::shared_ptr<const std::function<void()>>*>(handle->data);
  (*callback)();
}

void Timer::start(Duration delay) {
  uv_update_time(handle_->loop);
  uv_timer_start(handle_.get(), fire, whole_ms(delay), 0);
}

void Timer::repeat(Duration period) {
  uint64_t ms = std::max<uint64_t>(1, whole_ms(period));
  uv_update_time(handle_->loop);
  uv_timer_start(handle_.get(), fire, ms, ms);
}

bool Timer::active() const {
  return uv_is_active(reinterpret_cast<const uv_handle_t*>(handle_.get())) != 0;
}

}  // namespace slotd
