#pragma once

#include <functional>
#include <map>
#include <queue>
#include <vector>

#include "common/base/rng.h"
#include "common/base/time.h"

namespace slotd {

// Virtual time: events happen in order of (time, order of scheduling), and nothing else does. The
// same calls give the same run.
class SimWorld {
 public:
  Instant now() const { return now_; }
  void at(Instant when, std::function<void()> event);
  void after(Duration delay, std::function<void()> event) { at(now_ + delay, std::move(event)); }
  // Runs events up to and including `until`, and leaves the time there.
  void run_until(Instant until);
  uint64_t events_run() const { return events_run_; }

 private:
  struct Event {
    Instant when;
    uint64_t order;
    std::function<void()> run;
    friend bool operator<(const Event& a, const Event& b) {
      return a.when != b.when ? a.when > b.when : a.order > b.order;
    }
  };

  Instant now_{seconds(1)};
  uint64_t next_order_ = 0;
  uint64_t events_run_ = 0;
  std::priority_queue<Event> queue_;
};

}  // namespace slotd
