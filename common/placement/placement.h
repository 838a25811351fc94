#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slotd {

// One way to say which node holds a key. Built for a list of nodes; to compare how keys move,
// build it again for another list.
class Placement {
 public:
  virtual ~Placement() = default;
  // An index into the list that it was built for.
  virtual size_t node_of(std::string_view key) const = 0;
};

// fnv1_32(key) mod the number of nodes. `nodes` must not be empty, here and below.
std::unique_ptr<Placement> make_modulo(const std::vector<std::string>& nodes);

// A ring of hashes: a key goes to the node of the first point whose hash is not below the
// key's, or else of the lowest point. Each node has one point, fnv1_32(node), or with
// `virtual_nodes` that many, fnv1_32(node + "&&VN" + i) for i from 1.
std::unique_ptr<Placement> make_ring(const std::vector<std::string>& nodes,
                                     size_t virtual_nodes = 0);

// Hash slots, split evenly in the order of the list.
std::unique_ptr<Placement> make_slots(const std::vector<std::string>& nodes);

}  // namespace slotd
