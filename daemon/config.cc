#include "daemon/config.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>

namespace slotd {
namespace {

enum class Kind : uint8_t { Text, YesNo, Number, Bytes, Words, Encoding, LogLevel, Policy };
enum class When : uint8_t { Start, Live, Fixed };

struct Directive {
  std::string_view name;
  Kind kind;
  std::string_view fallback;
  When when;
  int64_t low = 0;
  int64_t high = INT64_MAX;
};

constexpr Directive kDirectives[] = {
    {"bind", Kind::Words, "127.0.0.1", When::Start},
    {"port", Kind::Number, "6379", When::Start, 0, 65535},
    {"cluster-port", Kind::Number, "0", When::Start, 0, 65535},
    {"tcp-backlog", Kind::Number, "511", When::Start, 1, 65535},
    {"protected-mode", Kind::YesNo, "yes", When::Live},
    {"dir", Kind::Text, ".", When::Start},
    {"cluster-config-file", Kind::Text, "slotd.state", When::Start},
    {"pidfile", Kind::Text, "", When::Start},
    {"logfile", Kind::Text, "", When::Start},
    {"loglevel", Kind::LogLevel, "notice", When::Live},
    {"daemonize", Kind::YesNo, "no", When::Start},
    {"requirepass", Kind::Text, "", When::Live},
    {"masterauth", Kind::Text, "", When::Live},
    {"maxclients", Kind::Number, "10000", When::Live, 1, 1000000},
    {"timeout", Kind::Number, "0", When::Live, 0, 31536000},
    {"tcp-keepalive", Kind::Number, "300", When::Live, 0, 86400},
    {"proto-max-bulk-len", Kind::Bytes, "536870912", When::Live, 1024 * 1024},
    {"client-output-buffer-limit", Kind::Bytes, "268435456", When::Live, 1024 * 1024},
    {"client-query-buffer-limit", Kind::Bytes, "1073741824", When::Live, 1024 * 1024},
    {"maxmemory", Kind::Bytes, "0", When::Live},
    {"maxmemory-policy", Kind::Policy, "noeviction", When::Live},
    {"cluster-enabled", Kind::YesNo, "yes", When::Fixed},
    {"cluster-node-timeout", Kind::Number, "15000", When::Live, 100, 3600000},
    {"cluster-require-full-coverage", Kind::YesNo, "yes", When::Live},
    {"cluster-allow-reads-when-down", Kind::YesNo, "no", When::Live},
    {"cluster-announce-ip", Kind::Text, "", When::Live},
    {"cluster-announce-port", Kind::Number, "0", When::Live, 0, 65535},
    {"cluster-announce-bus-port", Kind::Number, "0", When::Live, 0, 65535},
    {"cluster-announce-hostname", Kind::Text, "", When::Live},
    {"cluster-preferred-endpoint-type", Kind::Text, "ip", When::Live},
    {"myslots-encoding", Kind::Encoding, "smallest", When::Live},
    {"myslots-in-every-heartbeat", Kind::YesNo, "no", When::Live},
    // Asked for by tools; there is one database and nothing is kept but the cluster state.
    {"databases", Kind::Number, "1", When::Fixed, 1, 1},
    {"save", Kind::Text, "", When::Fixed},
    {"appendonly", Kind::YesNo, "no", When::Fixed},
};

const Directive* find_directive(std::string_view name) {
  for (const Directive& directive : kDirectives) {
    bool same = std::equal(name.begin(), name.end(), directive.name.begin(), directive.name.end(),
                           [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    if (same) return &directive;
  }
  return nullptr;
}

// "64", "64k" (1000), "64kb" (1024), and so on with m and g, as in redis.conf.
Result<int64_t> parse_number(const Directive& directive, std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  std::transform(unit.begin(), unit.end(), unit.begin(), [](char c) { return c | 0x20; });
  constexpr std::pair<std::string_view, int64_t> kUnits[] = {
      {"", 1},         {"b", 1},           {"k", 1000},       {"kb", 1 << 10},
      {"m", 1000000},  {"mb", 1 << 20},    {"g", 1000000000}, {"gb", 1 << 30}};
  for (const auto& [name, factor] : kUnits) {
    bool allowed = name.empty() || directive.kind == Kind::Bytes;
    if (error != std::errc{} || unit != name || !allowed) continue;
    if (value > INT64_MAX / factor || value * factor < directive.low ||
        value * factor > directive.high) {
      return make_error(ErrorCode::OutOfRange, "argument must be between {} and {} inclusive",
                        directive.low, directive.high);
    }
    return value * factor;
  }
  return make_error(ErrorCode::InvalidArgument, "argument couldn't be parsed into an integer");
}

Result<std::string> one_of(std::string_view value,
                           std::initializer_list<std::string_view> allowed) {
  std::string list;
  for (std::string_view word : allowed) {
    if (word == value) return std::string(value);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", word);
  }
  return make_error(ErrorCode::InvalidArgument, "argument must be one of: {}", list);
}

Result<std::string> check_value(const Directive& directive, std::string_view value) {
  switch (directive.kind) {
    case Kind::YesNo: {
      Result<std::string> word = one_of(value, {"yes", "no"});
      return word ? word : make_error(ErrorCode::InvalidArgument, "argument must be 'yes' or 'no'");
    }
    case Kind::Number:
    case Kind::Bytes: {
      Result<int64_t> number = parse_number(directive, value);
      return number ? Result<std::string>(fmt::format("{}", *number)) : number.error();
    }
    case Kind::Encoding: return one_of(value, {"smallest", "roaring", "gaps", "raw"});
    case Kind::LogLevel: return one_of(value, {"debug", "verbose", "notice", "warning"});
    case Kind::Policy: return one_of(value, {"noeviction", "allkeys-lru", "allkeys-random"});
    case Kind::Text:
    case Kind::Words: return std::string(value);
  }
  return make_error(ErrorCode::InvalidArgument, "unknown kind");
}

// The words of a line; "quotes" hold blanks together. Nothing when a quote is not closed.
std::optional<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  for (size_t i = 0; i < line.size();) {
    if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
      ++i;
      continue;
    }
    char quote = line[i] == '"' || line[i] == '\'' ? line[i] : '\0';
    size_t start = quote != '\0' ? i + 1 : i;
    size_t end = quote != '\0' ? line.find(quote, start) : line.find_first_of(" \t\r", start);
    if (quote != '\0' && end == std::string_view::npos) return std::nullopt;
    end = std::min(end, line.size());
    words.emplace_back(line.substr(start, end - start));
    i = quote != '\0' ? end + 1 : end;
  }
  return words;
}

std::string join(const std::vector<std::string>& words, size_t from) {
  std::string text;
  for (size_t i = from; i < words.size(); ++i) text += (i > from ? " " : "") + words[i];
  return text;
}

}  // namespace

Config::Config() {
  for (const Directive& directive : kDirectives) {
    values_.emplace(directive.name, directive.fallback);
  }
}

Result<void> Config::load(const std::vector<std::string>& arguments) {
  size_t next = 0;
  if (!arguments.empty() && !arguments[0].starts_with("--")) {
    Result<void> loaded = load_file(arguments[next++]);
    if (!loaded) return loaded;
  }
  while (next < arguments.size()) {
    const std::string& option = arguments[next];
    if (!option.starts_with("--")) {
      return make_error(ErrorCode::InvalidArgument, "'{}' is no option: --name value is", option);
    }
    std::string name = option.substr(2);
    std::string value;
    size_t given = 0;
    for (++next; next < arguments.size() && !arguments[next].starts_with("--"); ++next) {
      value += (given++ > 0 ? " " : "") + arguments[next];
    }
    if (given == 0) return make_error(ErrorCode::InvalidArgument, "option --{} has no value", name);
    Result<void> done = set(name, value);
    if (!done) return make_error(done.error().code, "option --{}", done.error().message);
  }
  return {};
}

Result<void> Config::load_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) return make_error(ErrorCode::Io, "cannot read configuration file {}", path);
  char absolute[PATH_MAX];
  file_ = realpath(path.c_str(), absolute) != nullptr ? absolute : path;
  std::string line;
  for (size_t number = 1; std::getline(in, line); ++number) {
    Result<void> loaded = load_line(line);
    if (!loaded) {
      return make_error(loaded.error().code, "{}:{}: {}", path, number, loaded.error().message);
    }
  }
  return {};
}

Result<void> Config::load_line(std::string_view line) {
  size_t start = line.find_first_not_of(" \t\r");
  if (start == std::string_view::npos || line[start] == '#') return {};
  auto words = split_words(line);
  if (!words) return make_error(ErrorCode::InvalidArgument, "a quote is not closed");
  if (words->size() < 2) {
    return make_error(ErrorCode::InvalidArgument, "directive '{}' has no value", words->front());
  }
  return set(words->front(), join(*words, 1));
}

Result<void> Config::set(std::string_view name, std::string_view value) {
  const Directive* directive = find_directive(name);
  if (directive == nullptr) {
    return make_error(ErrorCode::NotFound, "{}: unknown directive", name);
  }
  Result<std::string> checked = check_value(*directive, value);
  if (!checked)
    return make_error(checked.error().code, "{}: {}", directive->name, checked.error().message);
  bool fixed = directive->when == When::Fixed && *checked != directive->fallback;
  if (fixed) {
    return make_error(ErrorCode::Refused, "{}: slotd supports only '{}'", directive->name,
                      directive->fallback);
  }
  values_.find(directive->name)->second = *checked;
  return {};
}

Result<void> Config::set_live(std::string_view name, std::string_view value) {
  const Directive* directive = find_directive(name);
  if (directive == nullptr) {
    return make_error(ErrorCode::NotFound,
                      "Unknown option or number of arguments for CONFIG SET - '{}'", name);
  }
  if (directive->when == When::Start) {
    return make_error(ErrorCode::Refused,
                      "CONFIG SET failed (possibly related to argument '{}') - can't "
                      "set immutable config",
                      directive->name);
  }
  Result<void> done = set(name, value);
  if (done) return done;
  std::string_view reason = done.error().message;
  reason.remove_prefix(std::min(reason.size(), directive->name.size() + 2));
  return make_error(done.error().code, "CONFIG SET failed (possibly related to argument '{}') - {}",
                    directive->name, reason);
}

Result<void> Config::rewrite() const {
  if (file_.empty()) {
    return Error{ErrorCode::Refused, "The server is running without a config file"};
  }
  auto written = [this](std::string_view name) {
    const Directive* directive = find_directive(name);
    const std::string& value = text(name);
    bool quote =
        value.empty() || (directive->kind == Kind::Text && value.find(' ') != std::string::npos);
    return quote ? fmt::format("{} \"{}\"", name, value) : fmt::format("{} {}", name, value);
  };
  std::ifstream in(file_);
  std::string content;
  std::set<std::string, std::less<>> seen;
  for (std::string line; std::getline(in, line);) {
    size_t start = line.find_first_not_of(" \t");
    const Directive* directive = nullptr;
    if (start != std::string::npos && line[start] != '#') {
      directive = find_directive(line.substr(start, line.find_first_of(" \t", start) - start));
    }
    if (directive != nullptr) {
      if (!seen.emplace(directive->name).second) continue;
      line = written(directive->name);
    }
    content += line + "\n";
  }
  for (const Directive& directive : kDirectives) {
    bool differs = text(directive.name) != directive.fallback;
    if (differs && !seen.contains(directive.name)) content += written(directive.name) + "\n";
  }
  std::string beside = file_ + ".new";
  std::ofstream out(beside);
  out << content;
  out.close();
  if (!out || std::rename(beside.c_str(), file_.c_str()) != 0) {
    return make_error(ErrorCode::Io, "cannot write {}: {}", file_, std::strerror(errno));
  }
  return {};
}

const std::string& Config::text(std::string_view name) const {
  auto at = values_.find(name);
  SLOT_ASSERT(at != values_.end());
  return at->second;
}

int64_t Config::number(std::string_view name) const {
  const std::string& value = text(name);
  int64_t result = 0;
  std::from_chars(value.data(), value.data() + value.size(), result);
  return result;
}

std::vector<std::string> Config::words(std::string_view name) const {
  return split_words(text(name)).value_or(std::vector<std::string>{});
}

uint16_t Config::bus_port(uint16_t client_port) const {
  int64_t set_port = number("cluster-port");
  if (set_port != 0) return static_cast<uint16_t>(set_port);
  constexpr int kOffset = 10000;
  return client_port == 0 || client_port > 65535 - kOffset
             ? uint16_t{0}
             : static_cast<uint16_t>(client_port + kOffset);
}

ClusterConfig Config::cluster() const {
  ClusterConfig config;
  config.node_timeout = milliseconds(number("cluster-node-timeout"));
  config.full_coverage_required = flag("cluster-require-full-coverage");
  config.myslots_in_every_heartbeat = flag("myslots-in-every-heartbeat");
  if (text("myslots-encoding") != "smallest") {
    config.forced_encoding = parse_encoding_name(text("myslots-encoding")).value();
  }
  return config;
}

}  // namespace slotd
