#pragma once

#include <array>
#include <optional>

#include "common/sim/sim_cluster.h"

namespace slotd {

// The size of the cluster to measure, and what happens to it.
struct FigureOptions {
  size_t nodes = 100;
  uint64_t seed = 1;
  Duration node_timeout = seconds(5);
  Duration delay = milliseconds(1);  // of every link, one way
  Duration idle = seconds(60);       // how long to count while nothing happens
  double killed_share = 0.49;        // of the masters, all at once
  SlotSet moved = SlotSet::of({0, 0});
};

struct MessageFigures {
  uint64_t messages = 0;
  uint64_t bytes = 0;  // framed: payload of TCP
  size_t largest = 0;

  void add(size_t frame_bytes);
};
using FiguresByKind = std::array<MessageFigures, kMessageKinds>;

// What the protocol costs at one size and how soon everybody knows, in virtual time. A span is
// missing when it did not happen within a few node timeouts.
struct Figures {
  size_t nodes = 0;
  double links_per_node = 0;
  FiguresByKind idle;     // sent by all nodes while nothing happened …
  double idle_seconds{};  // … for so long
  FiguresByKind all;      // sent by all nodes from the first to the last moment
  std::optional<Duration> slot_change;  // from the command to the last node that learns of it
  std::optional<Duration> join;         // from the meeting until all know the newcomer and it all
  std::optional<Duration> failure;      // from a master's crash until all hold it for failed
  std::optional<Duration> comeback;     // from its restart until all nodes serve again
  size_t killed = 0;
  std::optional<Duration> mass_failure;  // from many crashes at once until all survivors agree
  double view_bytes_per_member = 0;      // heap that one node's Membership takes, 0: not measured

  double idle_bytes_per_node_second() const;
  double heartbeat_mean() const;  // framed bytes, while nothing happened
  size_t largest_message() const;
};

// Runs the real protocol on a simulated network. A few seconds of real time for 1000 nodes.
Figures measure_figures(const FigureOptions& options);

}  // namespace slotd
