#include "common/sim/sim_run.h"

#include <algorithm>

namespace slotd {
namespace {

class Life {
 public:
  explicit Life(const SimRunOptions& options)
      : options_(options), rng_(options.seed), cluster_(draw_options(options, rng_)) {
    checkers_ = all_checkers();
    cluster_.after_event = [this](SimNode node) { check(node); };
    if (options_.trace) {
      cluster_.on_log = [this](SimNode node, const ClusterEvent& event) {
        trace("  node {}: {}", node, event.text);
      };
    }
  }

  SimRunResult run() {
    start();
    while (!violation_ && operation_ < options_.operations) {
      ++operation_;
      operate();
      cluster_.run_for(milliseconds(rng_.between(0, rng_.one_in(8) ? 3000 : 200)));
    }
    if (!violation_) settle();
    return {violation_, violation_ ? violation_at_ : cluster_.world().now(), operation_,
            cluster_.size(), cluster_.world().events_run()};
  }

 private:
  static SimOptions draw_options(const SimRunOptions& wanted, Rng& rng) {
    SimOptions options;
    options.seed = rng.next();
    options.nodes = wanted.nodes != 0 ? wanted.nodes : static_cast<size_t>(rng.between(5, 20));
    options.config.node_timeout = milliseconds(rng.one_in(2) ? 2000 : 5000);
    options.longest_delay = milliseconds(rng.one_in(3) ? 40 : 2);
    options.clock_drift = rng.one_in(2) ? 5 : 0;
    options.keep_history = options.nodes <= 50;
    return options;
  }

  template <typename... Args>
  void trace(fmt::format_string<Args...> format, Args&&... args) {
    if (!options_.trace) return;
    options_.trace(fmt::format("{:9.3f} {}",
                               static_cast<double>(to_ms(cluster_.world().now())) / 1000.0,
                               fmt::format(format, std::forward<Args>(args)...)));
  }

  void check(SimNode node) {
    if (violation_) return;
    for (auto& checker : checkers_) {
      violation_ = checker->after_event(cluster_, node);
      if (!violation_) continue;
      violation_at_ = cluster_.world().now();
      trace("VIOLATION {}", *violation_);
      return;
    }
  }

  void start() {
    if (options_.formed) {
      cluster_.start_formed();
      cluster_.run_for(seconds(2));
    } else if (!cluster_.form(seconds(30)) && !violation_) {
      violation_ = "R8: the cluster did not form";
    }
    for (SimNode node = 0; node < cluster_.size(); ++node) members_.insert(node);
  }

  SimNode pick() { return static_cast<SimNode>(rng_.below(cluster_.size())); }
  SimNode pick_member() {
    auto at = members_.begin();
    std::advance(at, static_cast<long>(rng_.below(members_.size())));
    return *at;
  }
  bool answers(SimNode node) const { return cluster_.up(node) && !cluster_.paused(node); }
  Slot pick_slot() { return static_cast<Slot>(rng_.below(kSlotCount)); }

  void operate() {
    switch (rng_.below(16)) {
      case 0:
      case 1:
      case 2:
        return move_slot();
      case 3:
        return assign_or_drop();
      case 4:
        return crash_or_restart();
      case 5:
        return crash_or_restart();
      case 6:
        return pause_or_resume();
      case 7:
        return cut();
      case 8:
        return heal();
      case 9:
        return reset_link();
      case 10:
        return garbage();
      case 11:
        return toggle_disk();
      case 12:
        return forget();
      case 13:
        return join();
      case 14:
        return bump();
      default:
        return move_slot();
    }
  }

  // The classic way, as tools do it: the target first, then the source, then some of the others.
  void move_slot() {
    SimNode target = pick_member();
    Slot slot = pick_slot();
    NodeId id = cluster_.id(target);
    bool done = cluster_.apply(target, SetSlotNodeCommand{slot, id, false}).ok();
    trace("move slot {} to node {}: {}", slot, target, done ? "ok" : "refused");
    if (!done) return;
    for (SimNode node : members_) {
      if (node != target && rng_.one_in(2)) {
        (void)cluster_.apply(node, SetSlotNodeCommand{slot, id, false});
      }
    }
  }

  void drop(const SlotSet& slots) {
    for (auto& checker : checkers_) checker->on_slots_dropped(slots);
  }

  void assign_or_drop() {
    SimNode node = pick_member();
    Slot slot = pick_slot();
    if (rng_.one_in(2)) {
      drop(SlotSet::of({slot, slot}));
      bool done = cluster_.apply(node, DelSlotsCommand{SlotSet::of({slot, slot})}).ok();
      trace("drop slot {} at node {}: {}", slot, node, done ? "ok" : "refused");
    } else {
      bool done = cluster_.apply(node, AddSlotsCommand{SlotSet::of({slot, slot})}).ok();
      trace("add slot {} at node {}: {}", slot, node, done ? "ok" : "refused");
    }
  }

  void crash_or_restart() {
    SimNode node = pick();
    if (cluster_.up(node)) {
      trace("crash node {}", node);
      cluster_.crash(node);
      return;
    }
    size_t back = options_.nodes <= 50 && rng_.one_in(6) ? rng_.below(4) : 0;
    restart(node, back);
  }

  void restart(SimNode node, size_t back) {
    trace("restart node {} from {} state(s) back", node, back);
    if (back > 0) {
      for (auto& checker : checkers_) checker->on_old_state(cluster_, node);
      // Slots that it gave away since are claimed again until it hears better; any may show a gap.
      drop(SlotSet::full());
    }
    cluster_.restart(node, back);
  }

  void pause_or_resume() {
    SimNode node = pick();
    if (!cluster_.up(node)) return;
    bool resumes = cluster_.paused(node);
    trace("{} node {}", resumes ? "resume" : "pause", node);
    resumes ? cluster_.resume(node) : cluster_.pause(node);
  }

  // A partition, both ways or one way, between a random set and the rest.
  void cut() {
    bool one_way = rng_.one_in(3);
    std::vector<bool> side(cluster_.size());
    for (size_t i = 0; i < side.size(); ++i) side[i] = rng_.one_in(3);
    trace("cut {}", one_way ? "one way" : "both ways");
    for (SimNode a = 0; a < side.size(); ++a) {
      for (SimNode b = 0; b < side.size(); ++b) {
        if (!side[a] || side[b]) continue;
        cluster_.network().block(a, b, true);
        if (!one_way) cluster_.network().block(b, a, true);
      }
    }
  }

  void heal() {
    trace("heal");
    cluster_.network().heal();
  }

  void reset_link() {
    SimNode a = pick();
    SimNode b = pick();
    if (a == b) return;
    trace("reset links between {} and {}", a, b);
    cluster_.network().reset(a, b);
  }

  void garbage() {
    SimNode node = pick();
    if (!answers(node)) return;
    Bytes bytes(1 + rng_.below(64));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng_.next());
    if (rng_.one_in(2)) bytes[0] = 's';
    trace("garbage to node {}", node);
    cluster_.network().inject(node, bytes);
  }

  void toggle_disk() {
    SimNode node = pick();
    bool full = !cluster_.store(node).full;
    trace("disk of node {} is {}", node, full ? "full" : "fine");
    cluster_.set_full_disk(node, full);
  }

  void forget() {
    if (members_.size() <= 4 || !rng_.one_in(3)) return;
    SimNode by = pick_member();
    SimNode gone = pick_member();
    if (by == gone) return;
    drop(SlotSet::full());
    Result<void> result = cluster_.apply(by, ForgetCommand{cluster_.id(gone)});
    // With a full disk the removal stands in memory until it can be saved, or a crash forgets it.
    bool done = result.ok() || result.error().code == ErrorCode::Io;
    if (!result.ok()) unsure_.insert(gone);
    trace("node {} forgets node {}: {}", by, gone, done ? "ok" : "refused");
    if (!done) return;
    members_.erase(gone);
    removed_.insert(gone);
  }

  void join() {
    if (cluster_.size() >= 24 && options_.nodes == 0) return;
    SimNode with = pick_member();
    if (!answers(with)) return;
    SimNode fresh = cluster_.add();
    cluster_.start(fresh);
    trace("node {} meets node {}", fresh, with);
    (void)cluster_.apply(fresh, MeetCommand{SimNetwork::ip_of(with), 7000, 17000});
    joining_.push_back(fresh);
  }

  void bump() {
    SimNode node = pick_member();
    trace("bump the epoch of node {}", node);
    (void)cluster_.apply(node, BumpEpochCommand{});
  }

  void settle() {
    trace("all faults end");
    cluster_.network().heal();
    for (SimNode node = 0; node < cluster_.size(); ++node) {
      cluster_.set_full_disk(node, false);
      if (cluster_.paused(node)) cluster_.resume(node);
      if (!cluster_.up(node)) cluster_.restart(node);
    }
    Duration bound = 3 * cluster_.options().config.node_timeout + kMeetTimeout;
    std::optional<std::string> left;
    cluster_.run_until(
        [&] {
          count_joined();
          left = check_convergence(cluster_, members_);
          return violation_ || !left;
        },
        bound, milliseconds(100));
    if (!violation_ && left) {
      violation_ = left;
      violation_at_ = cluster_.world().now();
    }
    if (!violation_) check_removed_stay_out();
  }

  // A meeting that a fault spoiled for longer than its patience leaves the stranger a stranger; so
  // does one with a node that was removed meanwhile, which is all that the stranger then knows.
  void count_joined() {
    for (SimNode node : joining_) {
      if (!cluster_.up(node) || removed_.contains(node)) continue;
      knows_a_member(node) ? (void)members_.insert(node) : (void)members_.erase(node);
    }
  }

  bool knows_a_member(SimNode stranger) {
    const Membership& known = cluster_.node(stranger).state().membership();
    return std::any_of(members_.begin(), members_.end(), [&](SimNode member) {
      bool founder = std::find(joining_.begin(), joining_.end(), member) == joining_.end();
      return founder && known.member(cluster_.id(member)) != nullptr;
    });
  }

  void check_removed_stay_out() {
    for (SimNode node : removed_) {
      if (unsure_.contains(node) || !cluster_.up(node)) continue;
      for (SimNode member : members_) {
        if (cluster_.node(member).state().membership().member(cluster_.id(node)) == nullptr)
          continue;
        violation_ = fmt::format("R7: node {} counts removed node {} as a member", member, node);
        violation_at_ = cluster_.world().now();
        return;
      }
    }
  }

  SimRunOptions options_;
  Rng rng_;
  SimCluster cluster_;
  std::vector<std::unique_ptr<Checker>> checkers_;
  std::set<SimNode> members_;
  std::vector<SimNode> joining_;
  std::set<SimNode> removed_;
  std::set<SimNode> unsure_;  // removed by a node that could not write it down
  size_t operation_ = 0;
  std::optional<std::string> violation_;
  Instant violation_at_{};
};

}  // namespace

SimRunResult run_simulation(const SimRunOptions& options) {
  return Life(options).run();
}

}  // namespace slotd
