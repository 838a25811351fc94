#include "common/sim/sim_world.h"

namespace slotd {

void SimWorld::at(Instant when, std::function<void()> event) {
  queue_.push({std::max(when, now_), next_order_++, std::move(event)});
}

void SimWorld::run_until(Instant until) {
  while (!queue_.empty() && queue_.top().when <= until) {
    // The queue hands out const references only; the event is about to be popped.
    Event event = std::move(const_cast<Event&>(queue_.top()));
    queue_.pop();
    now_ = event.when;
    ++events_run_;
    event.run();
  }
  now_ = std::max(now_, until);
}

}  // namespace slotd
