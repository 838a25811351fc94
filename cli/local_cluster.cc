#include "cli/local_cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "cli/printer.h"
#include "cli/resp_client.h"

namespace slotd {
namespace {

constexpr auto kStartLimit = std::chrono::seconds(10);
constexpr auto kStopLimit = std::chrono::seconds(10);
constexpr auto kPoll = std::chrono::milliseconds(10);

// Field 22 of /proc/<pid>/stat, counted after the name in parentheses; 0 when there is no such
// process or it is a zombie.
uint64_t start_time(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(in, line);
  size_t name_end = line.rfind(')');
  if (name_end == std::string::npos || line.size() < name_end + 3 || line[name_end + 2] == 'Z')
    return 0;
  std::string_view rest = std::string_view(line).substr(name_end + 2);
  for (int field = 3; field < 22; ++field) {
    size_t space = rest.find(' ');
    if (space == std::string_view::npos) return 0;
    rest.remove_prefix(space + 1);
  }
  return std::strtoull(rest.data(), nullptr, 10);
}

// A socket on a port of the kernel's choice; `port` is 0 when there is none.
int hold_port(uint16_t& port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  bool bound = bind(fd, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
               getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  port = bound ? ntohs(address.sin_port) : uint16_t{0};
  return fd;
}

// Two ports that nobody listens on at this moment, held together so that they differ.
std::pair<uint16_t, uint16_t> free_ports() {
  uint16_t first = 0;
  uint16_t second = 0;
  int first_fd = hold_port(first);
  int second_fd = hold_port(second);
  close(first_fd);
  close(second_fd);
  return {first, second};
}

// Relative paths would mean something else to the daemon, and to the next slotctl.
std::string absolute_path(const std::string& path) {
  std::error_code failed;
  auto whole = std::filesystem::absolute(path, failed);
  if (!failed) whole = std::filesystem::weakly_canonical(whole, failed);
  if (failed || path.empty()) return path;
  std::string text = whole.string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

// Asked before a daemon is started: else somebody else's server could answer in place of one that
// ended at once.
bool is_free(uint16_t port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  bool bound = bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
               listen(fd, 1) == 0;
  close(fd);
  return bound;
}

bool answers(uint16_t port) {
  Result<RespClient> client =
      RespClient::connect("127.0.0.1", port, {std::chrono::milliseconds(500), {}});
  return client && client->call({"PING"}).ok();
}

uint64_t size_of(const std::string& file) {
  std::error_code failed;
  auto size = std::filesystem::file_size(file, failed);
  return failed ? 0 : size;
}

// The last line that was written behind `from`: earlier runs wrote what is before it.
std::string last_log_line(const std::string& log, uint64_t from) {
  std::ifstream in(log);
  in.seekg(static_cast<std::streamoff>(from));
  std::string last = "it wrote nothing to its log";
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

// In the child: nothing but calls that are safe after fork.
[[noreturn]] void become_daemon(const std::string& log, std::vector<char*>& argv) {
  setsid();
  int null = open("/dev/null", O_RDONLY);
  int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  for (int fd = 3; fd < 256; ++fd) close(fd);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

bool LocalCluster::Daemon::running() const {
  return pid > 0 && start_time(pid) == started;
}

std::string LocalCluster::default_directory() {
  if (const char* dir = std::getenv("SLOTD_LOCAL_DIR")) return dir;
  if (const char* state = std::getenv("XDG_STATE_HOME")) return std::string(state) + "/slotd";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "/tmp") + "/.local/state/slotd";
}

Result<LocalCluster> LocalCluster::load(const std::string& directory) {
  std::ifstream in(directory + "/local.json");
  if (!in) return make_error(ErrorCode::NotFound, "no local cluster in {}", directory);
  Json json = Json::parse(in, nullptr, false);
  LocalCluster cluster(absolute_path(directory));
  try {
    for (const Json& item : json.at("daemons")) {
      Daemon daemon{item.at("pid").get<pid_t>(), item.at("started").get<uint64_t>(),
                    item.at("port").get<uint16_t>(), item.at("bus_port").get<uint16_t>(),
                    item.at("directory").get<std::string>()};
      // Directories are removed by this list, so it may name none but those below its own.
      if (!daemon.directory.starts_with(cluster.directory_ + "/") ||
          daemon.directory.find("/..") != std::string::npos) {
        return make_error(ErrorCode::Corrupt, "{}/local.json names the directory '{}'", directory,
                          daemon.directory);
      }
      cluster.daemons_.push_back(std::move(daemon));
    }
  } catch (const Json::exception& error) {
    return make_error(ErrorCode::Corrupt, "{}/local.json is damaged: {}", directory, error.what());
  }
  return cluster;
}

Result<void> LocalCluster::save() const {
  Json json;
  json["daemons"] = Json::array();
  for (const Daemon& daemon : daemons_) {
    json["daemons"].push_back({{"pid", daemon.pid},
                               {"started", daemon.started},
                               {"port", daemon.port},
                               {"bus_port", daemon.bus_port},
                               {"directory", daemon.directory}});
  }
  std::ofstream out(directory_ + "/local.json");
  out << json.dump(2) << '\n';
  out.close();
  if (!out) return make_error(ErrorCode::Io, "cannot write {}/local.json", directory_);
  return {};
}

Result<LocalCluster::Daemon> LocalCluster::launch(const std::string& program, const Daemon& wanted,
                                                  const std::vector<std::string>& extra) {
  std::vector<std::string> words = {program,
                                    "--port",
                                    fmt::format("{}", wanted.port),
                                    "--cluster-port",
                                    fmt::format("{}", wanted.bus_port),
                                    "--bind",
                                    "127.0.0.1",
                                    "--dir",
                                    wanted.directory,
                                    "--pidfile",
                                    wanted.directory + "/slotd.pid",
                                    "--cluster-node-timeout",
                                    "5000"};
  words.insert(words.end(), extra.begin(), extra.end());
  if (!is_free(wanted.port)) {
    return make_error(ErrorCode::Conflict, "port {} is in use", wanted.port);
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string log = wanted.directory + "/slotd.log";
  uint64_t logged = size_of(log);
  pid_t pid = fork();
  if (pid < 0) return make_error(ErrorCode::Io, "cannot start a process: {}", std::strerror(errno));
  if (pid == 0) become_daemon(log, argv);
  Daemon daemon = wanted;
  daemon.pid = pid;
  auto deadline = std::chrono::steady_clock::now() + kStartLimit;
  while (!answers(daemon.port)) {
    bool ended = waitpid(pid, nullptr, WNOHANG) == pid;
    if (ended || std::chrono::steady_clock::now() > deadline) {
      if (!ended) kill(pid, SIGKILL);
      return make_error(ErrorCode::Io, "the daemon on port {} did not start: {}", daemon.port,
                        last_log_line(log, logged));
    }
    std::this_thread::sleep_for(kPoll);
  }
  daemon.started = start_time(pid);
  if (daemon.started == 0) {
    return make_error(ErrorCode::Io, "the daemon on port {} ended at once: see {}/slotd.log",
                      daemon.port, daemon.directory);
  }
  return daemon;
}

Result<LocalCluster> LocalCluster::start(const std::string& directory, size_t count,
                                         uint16_t first_port, const std::string& program,
                                         const std::vector<std::string>& extra) {
  Result<LocalCluster> there = load(directory);
  if (!there && there.error().code != ErrorCode::NotFound) return there.error();
  if (there && there->first_running() != nullptr) {
    return make_error(ErrorCode::Conflict,
                      "a local cluster already runs in {}: slotctl local stop ends it", directory);
  }
  LocalCluster cluster(absolute_path(directory));
  for (size_t i = 0; i < count; ++i) {
    Daemon wanted;
    auto [port, bus_port] = free_ports();
    wanted.port = first_port != 0 ? static_cast<uint16_t>(first_port + i) : port;
    wanted.bus_port = bus_port;
    wanted.directory = fmt::format("{}/{}", cluster.directory_, i + 1);
    std::error_code failed;
    std::filesystem::create_directories(wanted.directory, failed);
    if (failed) {
      return make_error(ErrorCode::Io, "cannot create {}: {}", wanted.directory, failed.message());
    }
    Result<Daemon> daemon = launch(program, wanted, extra);
    if (!daemon) {
      (void)cluster.stop(false);
      return daemon.error();
    }
    cluster.daemons_.push_back(*daemon);
    // At once: what is not remembered cannot be stopped.
    Result<void> saved = cluster.save();
    if (!saved) {
      (void)cluster.stop(false);
      return saved.error();
    }
  }
  return cluster;
}

Result<void> LocalCluster::restart(const std::string& program,
                                   const std::vector<std::string>& extra) {
  for (Daemon& daemon : daemons_) {
    if (daemon.running()) continue;
    Result<Daemon> again = launch(program, daemon, extra);
    if (!again) return again.error();
    daemon = *again;
    Result<void> saved = save();
    if (!saved) return saved;
  }
  return {};
}

Result<size_t> LocalCluster::stop(bool forget) {
  size_t stopped = 0;
  for (const Daemon& daemon : daemons_) {
    if (!may_signal(daemon)) continue;
    ++stopped;
    kill(daemon.pid, SIGTERM);
  }
  auto deadline = std::chrono::steady_clock::now() + kStopLimit;
  for (const Daemon& daemon : daemons_) {
    while (may_signal(daemon)) {
      // Ours if we started it in this very process; otherwise init's.
      waitpid(daemon.pid, nullptr, WNOHANG);
      auto now = std::chrono::steady_clock::now();
      if (now > deadline + kStopLimit) {
        return make_error(ErrorCode::Timeout, "process {} does not end", daemon.pid);
      }
      if (now > deadline) kill(daemon.pid, SIGKILL);
      std::this_thread::sleep_for(kPoll);
    }
  }
  if (!forget) return stopped;
  std::error_code failed;
  for (const Daemon& daemon : daemons_) std::filesystem::remove_all(daemon.directory, failed);
  std::filesystem::remove(directory_ + "/local.json", failed);
  if (failed)
    return make_error(ErrorCode::Io, "cannot remove {}: {}", directory_, failed.message());
  return stopped;
}

// Before a signal goes out: start times count from boot, so after one a stranger may have both the
// number and the time of a daemon of ours; its command line differs.
bool LocalCluster::may_signal(const Daemon& daemon) {
  if (!daemon.running() || daemon.started == 0) return false;
  std::ifstream in(fmt::format("/proc/{}/cmdline", daemon.pid));
  std::string words((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return words.find(daemon.directory) != std::string::npos;
}

const LocalCluster::Daemon* LocalCluster::first_running() const {
  for (const Daemon& daemon : daemons_) {
    if (daemon.running()) return &daemon;
  }
  return nullptr;
}

}  // namespace slotd
