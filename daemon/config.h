#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "common/cluster/cluster_config.h"

namespace slotd {

// The directives of slotd.conf and of the command line: one table of name, kind, default, and
// whether a running daemon can change it. Names and spelling are redis.conf's wherever the meaning
// is the same.
class Config {
 public:
  Config();

  // "slotd [file] [--name value ...]": the command line overrides the file. Errors name the file
  // and line, the directive, and what was wrong with it.
  Result<void> load(const std::vector<std::string>& arguments);
  // One directive, at start. Bytes may be written "512mb".
  Result<void> set(std::string_view name, std::string_view value);
  // The same while running: refused for what only a restart can change.
  Result<void> set_live(std::string_view name, std::string_view value);

  // Puts the running values into the file: lines of directives that it has are changed in place,
  // others that differ from their default are added at the end, and comments stay.
  Result<void> rewrite() const;

  // The value as CONFIG GET shows it. The directive must exist.
  const std::string& text(std::string_view name) const;
  int64_t number(std::string_view name) const;
  bool flag(std::string_view name) const { return text(name) == "yes"; }
  std::vector<std::string> words(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>>& all() const { return values_; }

  // The file that was given, absolute, or "".
  const std::string& file() const { return file_; }
  // The bus port that goes with a client port.
  uint16_t bus_port(uint16_t client_port) const;
  ClusterConfig cluster() const;

 private:
  Result<void> load_file(const std::string& path);
  Result<void> load_line(std::string_view line);

  std::map<std::string, std::string, std::less<>> values_;
  std::string file_;
};

}  // namespace slotd
