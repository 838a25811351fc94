#pragma once

#include <string>
#include <vector>

#include "cli/cluster_client.h"

namespace slotd {

// The lines of a file as keys, behind a prefix if there is one: each with its number (from 1) as
// value; blank lines and repetitions are left out and not counted.
struct WordKeys {
  std::vector<std::string> words;
  static std::string value(size_t index) { return std::to_string(index + 1); }
};

Result<WordKeys> read_words(const std::string& path, const std::string& prefix = "");

// Sets each word through the cluster's owners, pipelined, redirects followed.
Result<void> load_words(ClusterClient& client, const WordKeys& keys);

struct WordCheck {
  size_t right = 0;
  size_t missing = 0;
  size_t wrong = 0;
  size_t keys_on_masters = 0;  // the sum of DBSIZE: more than there are words means copies
};
// Reads each word back, and counts the keys of all masters.
Result<WordCheck> check_words(ClusterClient& client, const WordKeys& keys);

}  // namespace slotd
