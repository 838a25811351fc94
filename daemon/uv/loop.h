#pragma once

#include <uv.h>

#include <memory>
#include <vector>

namespace slotd {

// One event loop. Everything with a handle on it must be destroyed before it; the destructor then
// runs the loop until libuv has closed them all.
class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  uv_loop_t* get() { return loop_.get(); }
  // Until stop() or until nothing is left to wait for.
  void run() { uv_run(loop_.get(), UV_RUN_DEFAULT); }
  // One round; waits for something to happen.
  void run_once() { uv_run(loop_.get(), UV_RUN_ONCE); }
  void stop() { uv_stop(loop_.get()); }

  // Where reads land before they are handed on; shared, since a read is handed on at once.
  static uv_buf_t read_buffer(uv_handle_t* handle);

 private:
  std::unique_ptr<uv_loop_t> loop_;
  std::vector<char> read_buffer_;
};

}  // namespace slotd
