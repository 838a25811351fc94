#include "daemon/uv/loop.h"

#include "common/base/assert.h"

namespace slotd {
namespace {

constexpr size_t kReadBufferBytes = 64u << 10;  // what libuv suggests

}  // namespace

Loop::Loop() : loop_(std::make_unique<uv_loop_t>()), read_buffer_(kReadBufferBytes) {
  SLOT_ASSERT(uv_loop_init(loop_.get()) == 0);
  loop_->data = this;
}

Loop::~Loop() {
  while (uv_loop_close(loop_.get()) == UV_EBUSY) uv_run(loop_.get(), UV_RUN_ONCE);
}

uv_buf_t Loop::read_buffer(uv_handle_t* handle) {
  auto* loop = static_cast<Loop*>(handle->loop->data);
  return uv_buf_init(loop->read_buffer_.data(), static_cast<unsigned>(loop->read_buffer_.size()));
}

}  // namespace slotd
