#include "common/placement/placement.h"

#include <map>

#include "common/base/assert.h"
#include "common/placement/fnv.h"
#include "common/slot/slot.h"

namespace slotd {
namespace {

class Modulo : public Placement {
 public:
  explicit Modulo(size_t nodes) : nodes_(nodes) {}
  size_t node_of(std::string_view key) const override {
    return static_cast<size_t>(fnv1_32(key)) % nodes_;
  }

 private:
  size_t nodes_;
};

class Ring : public Placement {
 public:
  Ring(const std::vector<std::string>& nodes, size_t virtual_nodes) {
    for (size_t n = 0; n < nodes.size(); ++n) {
      if (virtual_nodes == 0) points_[fnv1_32(nodes[n])] = n;
      for (size_t i = 1; i <= virtual_nodes; ++i) {
        points_[fnv1_32(nodes[n] + "&&VN" + std::to_string(i))] = n;
      }
    }
  }
  size_t node_of(std::string_view key) const override {
    auto at = points_.lower_bound(fnv1_32(key));
    return at == points_.end() ? points_.begin()->second : at->second;
  }

 private:
  std::map<int32_t, size_t> points_;
};

class Slots : public Placement {
 public:
  explicit Slots(size_t nodes) : nodes_(nodes) {}
  size_t node_of(std::string_view key) const override {
    // The inverse of the even split, whose part n begins at n * 16384 / nodes.
    return ((key_slot(key) + size_t{1}) * nodes_ - 1) / kSlotCount;
  }

 private:
  size_t nodes_;
};

}  // namespace

std::unique_ptr<Placement> make_modulo(const std::vector<std::string>& nodes) {
  SLOT_ASSERT(!nodes.empty());
  return std::make_unique<Modulo>(nodes.size());
}

std::unique_ptr<Placement> make_ring(const std::vector<std::string>& nodes, size_t virtual_nodes) {
  SLOT_ASSERT(!nodes.empty());
  return std::make_unique<Ring>(nodes, virtual_nodes);
}

std::unique_ptr<Placement> make_slots(const std::vector<std::string>& nodes) {
  SLOT_ASSERT(!nodes.empty());
  return std::make_unique<Slots>(nodes.size());
}

}  // namespace slotd
