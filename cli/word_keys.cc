#include "cli/word_keys.h"

#include <fstream>
#include <functional>
#include <unordered_set>

namespace slotd {
namespace {

constexpr size_t kPipeline = 2000;

using MakeCommand = std::function<std::vector<std::string>(size_t index)>;
using OnReply = std::function<void(size_t index, const Reply& reply)>;

// Sends a command a word to the owner that the topology names, many at a time; one that is answered
// with a redirect or "later" is sent again by itself, following what it is told.
Result<void> for_each_word(ClusterClient& client, const WordKeys& keys, const MakeCommand& make,
                           const OnReply& on_reply) {
  Result<Topology> topology = client.topology();
  if (!topology) return topology.error();
  std::map<Endpoint, std::vector<size_t>> by_owner;
  std::vector<size_t> strays;
  for (size_t i = 0; i < keys.words.size(); ++i) {
    const NodeLine* owner = topology->owner(key_slot(keys.words[i]));
    owner != nullptr ? by_owner[client.endpoint_of(*owner)].push_back(i) : strays.push_back(i);
  }
  for (const auto& [owner, indexes] : by_owner) {
    for (size_t start = 0; start < indexes.size(); start += kPipeline) {
      size_t end = std::min(start + kPipeline, indexes.size());
      Result<RespClient*> connection = client.connection(owner);
      if (!connection) return connection.error();
      for (size_t i = start; i < end; ++i) (*connection)->queue(make(indexes[i]));
      for (size_t i = start; i < end; ++i) {
        Result<Reply> reply = (*connection)->next_reply();
        if (!reply) return reply.error();
        reply->is_error() ? strays.push_back(indexes[i]) : on_reply(indexes[i], *reply);
      }
    }
  }
  for (size_t index : strays) {
    Result<Reply> reply = client.keyed(keys.words[index], make(index));
    if (!reply) return reply.error();
    if (reply->is_error()) {
      return make_error(ErrorCode::Refused, "key '{}': {}", keys.words[index], reply->text);
    }
    on_reply(index, *reply);
  }
  return {};
}

}  // namespace

Result<WordKeys> read_words(const std::string& path, const std::string& prefix) {
  std::ifstream in(path);
  if (!in) return make_error(ErrorCode::NotFound, "cannot read {}", path);
  WordKeys keys;
  std::unordered_set<std::string> seen;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && seen.insert(line).second) keys.words.push_back(prefix + line);
  }
  if (keys.words.empty()) return make_error(ErrorCode::InvalidArgument, "{} has no lines", path);
  return keys;
}

Result<void> load_words(ClusterClient& client, const WordKeys& keys) {
  auto set = [&](size_t i) -> std::vector<std::string> {
    return {"SET", keys.words[i], WordKeys::value(i)};
  };
  return for_each_word(client, keys, set, [](size_t, const Reply&) {});
}

Result<WordCheck> check_words(ClusterClient& client, const WordKeys& keys) {
  WordCheck check;
  auto get = [&](size_t i) -> std::vector<std::string> { return {"GET", keys.words[i]}; };
  Result<void> read = for_each_word(client, keys, get, [&](size_t i, const Reply& reply) {
    if (reply.kind == Reply::Kind::Null) {
      ++check.missing;
    } else if (reply.text != WordKeys::value(i)) {
      ++check.wrong;
    } else {
      ++check.right;
    }
  });
  if (!read) return read.error();
  Result<Topology> topology = client.topology();
  if (!topology) return topology.error();
  for (const NodeLine* master : topology->masters()) {
    Result<Reply> size = client.demand(*master, {"DBSIZE"});
    if (!size) return size.error();
    check.keys_on_masters += static_cast<size_t>(size->number);
  }
  return check;
}

}  // namespace slotd
