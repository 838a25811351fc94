#include "daemon/server.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "common/wire/state_file.h"
#include "daemon/client/glob.h"
#include "daemon/uv/clock.h"

namespace slotd {
namespace {

uint64_t random_seed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

std::string_view standing_text(Standing standing) {
  switch (standing) {
    case Standing::Ok: return "serving: the cluster is ok";
    case Standing::Removed: return "not serving: this node was removed from its cluster";
    case Standing::Joining: return "not serving yet: has not heard from enough of the cluster";
    case Standing::Minority: return "not serving: cut off from the majority";
    case Standing::SlotsUncovered: return "not serving: some slots have no live owner";
  }
  return "not serving";
}

}  // namespace

// CONFIG GET and SET over the directive table; a change takes effect at once.
class Server::LiveConfig : public ConfigPort {
 public:
  explicit LiveConfig(Server& server) : server_(server) {}

  std::vector<std::pair<std::string, std::string>> get(std::string_view glob) override {
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& [name, value] : server_.config_.all()) {
      if (glob_match(glob, name, true)) found.emplace_back(name, shown(name, value));
    }
    return found;
  }

  Result<void> set(std::string_view name, std::string_view value) override {
    Result<void> done = server_.config_.set_live(name, value);
    if (done) server_.settings_changed();
    return done;
  }

  Result<void> rewrite() override { return server_.config_.rewrite(); }

 private:
  // A port that the kernel chose is shown as it is.
  std::string shown(const std::string& name, const std::string& value) const {
    if (name == "port" && server_.clients_) return fmt::format("{}", server_.clients_->port());
    return value;
  }

  Server& server_;
};

Server::Server(Config config, FileStateStore state_store)
    : config_(std::move(config)), state_store_(std::move(state_store)), memory_(random_seed()) {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(Config config) {
  const std::string& dir = config.text("dir");
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  if (failed)
    return make_error(ErrorCode::Io, "cannot use directory {}: {}", dir, failed.message());
  Result<FileStateStore> store = FileStateStore::open(dir, config.text("cluster-config-file"));
  if (!store) return store.error();
  std::unique_ptr<Server> server(new Server(std::move(config), *std::move(store)));
  Result<PersistentState> state = server->read_state();
  if (!state) return state.error();
  Result<void> listening = server->bus_.listen(
      server->config_.words("bind"),
      server->config_.bus_port(static_cast<uint16_t>(server->config_.number("port"))),
      static_cast<int>(server->config_.number("tcp-backlog")));
  if (!listening) return listening.error();
  server->start_node(*std::move(state));
  Result<void> opened = server->open_clients();
  if (!opened) return opened.error();
  Result<void> noted = server->write_pidfile();
  if (!noted) return noted.error();
  return server;
}

Result<PersistentState> Server::read_state() {
  Result<std::optional<Bytes>> bytes = state_store_.load();
  if (!bytes) return bytes.error();
  if (!bytes->has_value()) return fresh_identity(random_seed(), NodeAddress{});
  Result<PersistentState> state = decode_state(**bytes);
  if (state) return state;
  // Starting over would make a stranger of a node that others know and that may own slots.
  return make_error(ErrorCode::Corrupt,
                    "{}: {}; put back a good copy, or remove the file to start as a "
                    "new node",
                    state_store_.path(), state.error().message);
}

NodeAddress Server::announced_address() const {
  NodeAddress address;
  address.ip = config_.text("cluster-announce-ip");
  if (address.ip.empty()) {
    std::string bound = config_.words("bind").front();
    bool any = bound == "0.0.0.0" || bound == "*" || bound == "::";
    // Not known yet when bound to all: kept from before, or learned from the first peer.
    if (!any) address.ip = bound;
    if (any && node_) address.ip = node_->state().self().address.ip;
  }
  auto own = [&](std::string_view name, uint16_t bound) {
    int64_t announced = config_.number(name);
    return announced != 0 ? static_cast<uint16_t>(announced) : bound;
  };
  auto configured = static_cast<uint16_t>(config_.number("port"));
  address.port = own("cluster-announce-port", clients_ ? clients_->port() : configured);
  address.bus_port = own("cluster-announce-bus-port", bus_.port());
  address.hostname = config_.text("cluster-announce-hostname");
  return address;
}

void Server::start_node(PersistentState state) {
  NodeAddress address = announced_address();
  if (address.ip.empty()) address.ip = state.self.address.ip;
  if (address.port == 0) address.port = state.self.address.port;
  state.self.address = address;
  node_ = std::make_unique<Node>(config_.cluster(), std::move(state), random_seed(),
                                 monotonic_now(), bus_, state_store_,
                                 [this](const ClusterEvent& event) { log_event(event); });
  bus_.attach(*node_);
  spdlog::info("node {} of cluster {}", node_->state().id().hex(), node_->state().cluster().hex());
}

Result<void> Server::open_clients() {
  live_config_ = std::make_unique<LiveConfig>(*this);
  context_.reset(new ClientContext{
      .node = *node_,
      .keys = keys_,
      .config = *live_config_,
      .migration = migration_,
      .now = monotonic_now,
      .wall_us = [] { return wall_now_ms() * 1000; },
      .shut_down = [this] { loop_.stop(); },
      .rng = Rng(random_seed()),
      .started = monotonic_now(),
      .run_id = fresh_identity(random_seed(), {}).self.id.hex(),
      .settings = client_settings(),
  });
  clients_ = std::make_unique<ClientPort>(loop_, *context_);
  auto port = static_cast<uint16_t>(config_.number("port"));
  Result<void> listening = clients_->listen(config_.words("bind"), port);
  if (!listening) return listening;
  node_->set_address(announced_address(), monotonic_now());
  signals_ = std::make_unique<SignalWatcher>(loop_, [this](int number) {
    spdlog::info("signal {}: shutting down", number);
    loop_.stop();
  });
  spdlog::info("ready for clients on port {}, for peers on port {}", clients_->port(), bus_.port());
  return {};
}

ClientSettings Server::client_settings() const {
  ClientSettings settings;
  settings.requirepass = config_.text("requirepass");
  settings.max_clients = static_cast<size_t>(config_.number("maxclients"));
  settings.idle_timeout = seconds(config_.number("timeout"));
  settings.keepalive_seconds = static_cast<unsigned>(config_.number("tcp-keepalive"));
  settings.max_output_bytes = static_cast<size_t>(config_.number("client-output-buffer-limit"));
  settings.max_input_bytes = static_cast<size_t>(config_.number("client-query-buffer-limit"));
  settings.allow_reads_when_down = config_.flag("cluster-allow-reads-when-down");
  settings.port = clients_ ? clients_->port() : uint16_t{0};
  settings.config_file = config_.file();
  return settings;
}

void Server::settings_changed() {
  context_->settings = client_settings();
  node_->set_config(config_.cluster(), monotonic_now());
  node_->set_address(announced_address(), monotonic_now());
  apply_log_level(config_.text("loglevel"));
}

void Server::log_event(const ClusterEvent& event) {
  // While the Node is being made there is nobody to ask.
  if (event.kind == EventKind::StandingChanged) {
    if (node_) spdlog::warn("{}", standing_text(node_->state().standing()));
    return;
  }
  if (event.kind == EventKind::SlotsLost)
    event.slots.for_each([this](Slot slot) { keys_.drop(slot); });
  spdlog::info("{}", event.text);
}

Result<void> Server::write_pidfile() const {
  const std::string& path = config_.text("pidfile");
  if (path.empty()) return {};
  std::ofstream out(path);
  out << getpid() << '\n';
  out.close();
  if (!out)
    return make_error(ErrorCode::Io, "cannot write pid file {}: {}", path, std::strerror(errno));
  return {};
}

void Server::run() {
  loop_.run();
  Result<void> saved = node_->save(monotonic_now());
  if (!saved) spdlog::error("{}", saved.error().message);
  const std::string& pidfile = config_.text("pidfile");
  if (!pidfile.empty()) std::filesystem::remove(pidfile);
}

void apply_log_level(const std::string& level) {
  if (level == "debug" || level == "verbose") return spdlog::set_level(spdlog::level::debug);
  spdlog::set_level(level == "warning" ? spdlog::level::warn : spdlog::level::info);
}

}  // namespace slotd
