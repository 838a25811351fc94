#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slotd {

// Keys on their way to another node. Between the copy that left and the answer that it arrived,
// nobody may change them (the change would be lost) or read them (the answer could be older than
// one that the target gave); whoever wants to waits.
class KeyLocks {
 public:
  void lock(std::span<const std::string> keys) { locked_.insert(keys.begin(), keys.end()); }
  // Returns the clients to resume.
  std::vector<uint64_t> unlock(std::span<const std::string> keys) {
    for (const std::string& key : keys) locked_.erase(key);
    return std::exchange(waiting_, {});
  }
  bool empty() const { return locked_.empty(); }
  bool any(std::span<const std::string_view> keys) const {
    if (locked_.empty()) return false;
    for (std::string_view key : keys) {
      if (locked_.find(key) != locked_.end()) return true;
    }
    return false;
  }
  void wait(uint64_t client) { waiting_.push_back(client); }

 private:
  std::set<std::string, std::less<>> locked_;
  std::vector<uint64_t> waiting_;
};

}  // namespace slotd
