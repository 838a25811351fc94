#pragma once

#include <uv.h>

#include <memory>

namespace slotd {

// A libuv handle belongs to the loop until its close callback has run, so it can never be a member
// by value of something that may die first. UvPtr owns it: dropping the pointer closes the handle,
// and the memory goes in the callback. `data` is cleared at once, so a callback that is already
// under way finds nobody.
template <typename Handle>
struct UvClose {
  void operator()(Handle* handle) const {
    handle->data = nullptr;
    auto* base = reinterpret_cast<uv_handle_t*>(handle);
    uv_close(base, [](uv_handle_t* closed) { delete reinterpret_cast<Handle*>(closed); });
  }
};

template <typename Handle>
using UvPtr = std::unique_ptr<Handle, UvClose<Handle>>;

// `init` is the libuv init call for the handle: make_uv<uv_tcp_t>(owner, [&](auto* h) {...}). The
// handle is ours even if init fails, which for these handles happens only when memory is out.
template <typename Handle, typename Init>
UvPtr<Handle> make_uv(void* owner, Init init) {
  auto* handle = new Handle{};
  init(handle);
  handle->data = owner;
  return UvPtr<Handle>(handle);
}

}  // namespace slotd
