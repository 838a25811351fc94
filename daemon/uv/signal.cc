#include "daemon/uv/signal.h"

#include <csignal>
#include <utility>

namespace slotd {

SignalWatcher::SignalWatcher(Loop& loop, std::function<void(int)> callback)
    : callback_(std::move(callback)),
      interrupt_(
          make_uv<uv_signal_t>(this, [&](uv_signal_t* h) { uv_signal_init(loop.get(), h); })),
      terminate_(
          make_uv<uv_signal_t>(this, [&](uv_signal_t* h) { uv_signal_init(loop.get(), h); })) {
  uv_signal_start(interrupt_.get(), fire, SIGINT);
  uv_signal_start(terminate_.get(), fire, SIGTERM);
}

void SignalWatcher::fire(uv_signal_t* handle, int number) {
  auto* self = static_cast<SignalWatcher*>(handle->data);
  if (self != nullptr) self->callback_(number);
}

}  // namespace slotd
