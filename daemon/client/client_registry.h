#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace slotd {

class ClientSession;

// The sessions that are there, by id. Everything that outlasts a call (a wait, a transfer) keeps
// the id and asks here: the client may be gone.
class ClientRegistry {
 public:
  uint64_t next_id() { return ++last_id_; }
  void add(uint64_t id, ClientSession& session) { sessions_[id] = &session; }
  void remove(uint64_t id) { sessions_.erase(id); }
  // Null when it is gone.
  ClientSession* find(uint64_t id) const {
    auto found = sessions_.find(id);
    return found == sessions_.end() ? nullptr : found->second;
  }
  size_t size() const { return sessions_.size(); }
  const std::map<uint64_t, ClientSession*>& all() const { return sessions_; }
  std::vector<uint64_t> ids() const {
    std::vector<uint64_t> ids;
    for (const auto& [id, session] : sessions_) ids.push_back(id);
    return ids;
  }

 private:
  std::map<uint64_t, ClientSession*> sessions_;
  uint64_t last_id_ = 0;
};

}  // namespace slotd
