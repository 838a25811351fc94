#include <atomic>
#include <thread>

#include "cli/agreement.h"
#include "cli/classic_migration.h"
#include "cli/commands/commands.h"
#include "cli/heartbeat_table.h"
#include "cli/local_cluster.h"
#include "cli/plan/even_split.h"
#include "cli/slot_picture.h"
#include "cli/word_keys.h"

namespace slotd {
namespace {

constexpr size_t kDaemons = 3;
constexpr SlotRange kMovedSlots{0, 999};
constexpr size_t kWordsByRedirect = 1000;

struct Options {
  std::string words = "/usr/share/dict/words";
  std::string directory = LocalCluster::default_directory();
};

// Reads and writes keys of the moving slots until told to end, and counts what a client would see.
class Traffic {
 public:
  Traffic(Endpoint seed, ConnectOptions options, std::vector<std::string> keys)
      : client_(std::move(seed), std::move(options)),
        keys_(std::move(keys)),
        thread_([this] { run(); }) {}
  ~Traffic() { finish(); }

  void finish() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  uint64_t operations() const { return operations_; }
  uint64_t redirects() const { return client_.redirects; }
  const std::string& first_error() const { return error_; }

 private:
  void run() {
    for (size_t i = 0; !stop_ && error_.empty(); ++i) {
      const std::string& key = keys_[i % keys_.size()];
      expect(key, {"GET", key}, "");
      // A counter beside each word, in the word's own slot: written now, read back at once.
      std::string counter = "{" + key + "}:seen";
      std::string value = std::to_string(i);
      expect(counter, {"SET", counter, value}, "OK");
      expect(counter, {"GET", counter}, value);
      expect(counter, {"DEL", counter}, "");
    }
  }

  void expect(const std::string& key, const std::vector<std::string>& command,
              const std::string& text) {
    if (!error_.empty()) return;
    Result<Reply> reply = client_.keyed(key, command);
    ++operations_;
    if (!reply) {
      error_ = reply.error().message;
    } else if (reply->is_error() || reply->kind == Reply::Kind::Null) {
      error_ =
          fmt::format("{} {}: {}", command[0], key, reply->is_error() ? reply->text : "no value");
    } else if (!text.empty() && reply->text != text) {
      error_ = fmt::format("{} {}: '{}' instead of '{}'", command[0], key, reply->text, text);
    }
  }

  ClusterClient client_;
  std::vector<std::string> keys_;
  std::string error_;  // read after finish()
  std::atomic<uint64_t> operations_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

class Demo {
 public:
  Demo(const Cli& cli, const Options& options)
      : cli_(cli),
        options_(options),
        out_(cli.printer()),
        client_({"127.0.0.1", 0}, cli.connect_options()) {}

  Result<void> run() {
    for (auto step :
         {&Demo::start, &Demo::create, &Demo::load, &Demo::show, &Demo::move, &Demo::prove}) {
      Result<void> done = (this->*step)();
      if (!done) return done;
    }
    farewell();
    return {};
  }

 private:
  void heading(const std::string& text) {
    out_.say(fmt::format("\n{0}== {1}{2}", out_.colour() ? "\x1b[1m" : "", text,
                         out_.colour() ? "\x1b[0m" : ""));
  }

  Result<void> start() {
    Result<WordKeys> keys = read_words(options_.words);
    if (!keys) return keys.error();
    keys_ = *std::move(keys);
    heading(fmt::format("Starting {} daemons in {}", kDaemons, options_.directory));
    Result<LocalCluster> earlier = LocalCluster::load(options_.directory);
    if (earlier) {
      Result<size_t> stopped = earlier->stop(true);
      if (!stopped) return stopped.error();
      if (*stopped > 0) out_.say(fmt::format("(stopped {} daemons of an earlier run)", *stopped));
    }
    std::string slotd = cli_.program().substr(0, cli_.program().rfind('/') + 1) + "slotd";
    Result<LocalCluster> cluster = LocalCluster::start(options_.directory, kDaemons, 0, slotd, {});
    if (!cluster) return cluster.error();
    for (const LocalCluster::Daemon& daemon : cluster->daemons()) {
      nodes_.push_back({"127.0.0.1", daemon.port});
      bus_ports_.push_back(daemon.bus_port);
      out_.say(fmt::format("slotd on port {} (bus {}), pid {}", daemon.port, daemon.bus_port,
                           daemon.pid));
    }
    client_ = ClusterClient(nodes_.front(), cli_.connect_options());
    return {};
  }

  Result<void> create() {
    heading("Creating the cluster");
    auto started = std::chrono::steady_clock::now();
    std::vector<SlotRange> ranges = even_split(kDaemons);
    for (size_t i = 0; i < kDaemons; ++i) {
      std::vector<std::vector<std::string>> commands = {
          {"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)},
          {"CLUSTER", "ADDSLOTSRANGE", std::to_string(ranges[i].first),
           std::to_string(ranges[i].last)}};
      if (i > 0) {
        commands.push_back({"CLUSTER", "MEET", "127.0.0.1", std::to_string(nodes_[0].port),
                            std::to_string(bus_ports_[0])});
      }
      for (const auto& command : commands) {
        Result<Reply> done = client_.demand(nodes_[i], command);
        if (!done) return done.error();
      }
    }
    Result<void> agreed =
        wait_for_agreement(client_, nodes_, kDaemons, true, std::chrono::milliseconds(20000));
    if (!agreed) return agreed;
    auto took = std::chrono::steady_clock::now() - started;
    out_.say(fmt::format("{} nodes agree and serve after {} ms", kDaemons,
                         std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
    return {};
  }

  Result<void> load() {
    heading(fmt::format("Loading {} words of {} as keys", keys_.words.size(), options_.words));
    // A client that knows one address only is sent on by MOVED, and remembers.
    client_.assume_seed_owns_all();
    uint64_t before = client_.redirects;
    size_t taught = std::min(kWordsByRedirect, keys_.words.size());
    for (size_t i = 0; i < taught; ++i) {
      const std::string& word = keys_.words[i];
      Result<Reply> set = client_.keyed(word, {"SET", word, WordKeys::value(i)});
      if (!set) return set.error();
      if (set->is_error()) return make_error(ErrorCode::Refused, "SET {}: {}", word, set->text);
    }
    out_.say(fmt::format("the first {} by one address: {} were redirected (MOVED) to their owner",
                         taught, client_.redirects - before));
    auto started = std::chrono::steady_clock::now();
    Result<void> loaded = load_words(client_, keys_);
    if (!loaded) return loaded;
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    out_.say(fmt::format("all of them, sent to their owners by the slot map, in {:.1f} s",
                         took.count()));
    return {};
  }

  Result<void> show() {
    heading("Slots, keys and heartbeats");
    Result<Topology> topology = client_.topology();
    if (!topology) return topology.error();
    out_.say(slot_picture(*topology, out_.colour()));
    Table table({"master", "slots", "keys"});
    for (const NodeLine* master : topology->masters()) {
      Result<Reply> size = client_.demand(*master, {"DBSIZE"});
      if (!size) return size.error();
      table.add({client_.endpoint_of(*master).text(), fmt::format("{}", master->slots.count()),
                 fmt::format("{}", size->number)});
    }
    out_.say(table.text());
    return heartbeats();
  }

  Result<void> heartbeats() {
    // "all" of each node: what went to every peer. Raw is what a Redis Cluster heartbeat carries.
    std::vector<HeartbeatRow> rows;
    for (const Endpoint& node : nodes_) {
      Result<std::vector<HeartbeatRow>> some = read_heartbeats(client_, node);
      if (!some) return some.error();
      rows.insert(rows.end(), some->begin(), some->end());
    }
    out_.say(heartbeat_table(rows));
    return {};
  }

  Result<void> move() {
    heading(fmt::format("Moving slots {}-{} while a client reads and writes them",
                        kMovedSlots.first, kMovedSlots.last));
    std::vector<std::string> moving;
    for (const std::string& word : keys_.words) {
      Slot slot = key_slot(word);
      bool tagged = word.find_first_of("{}") != std::string::npos;
      if (!tagged && slot >= kMovedSlots.first && slot <= kMovedSlots.last) moving.push_back(word);
    }
    if (moving.empty())
      return Error{ErrorCode::InvalidArgument, "no word falls into the moving slots"};
    Result<Topology> topology = client_.topology();
    if (!topology) return topology.error();
    Result<const NodeLine*> target = topology->find(nodes_.back().text());
    if (!target) return target.error();
    Result<MigrationPlan> plan =
        plan_migration(*topology, SlotSet::of(kMovedSlots), "", (*target)->id.hex());
    if (!plan) return plan.error();
    Traffic traffic(nodes_.front(), cli_.connect_options(), moving);
    auto started = std::chrono::steady_clock::now();
    MigrationProgress last;
    Result<void> moved =
        migrate_classic(client_, *topology, *plan, [&](const MigrationProgress& now) {
          last = now;
          out_.progress(
              fmt::format("{}/{} slots, {} keys", now.slots_done, now.slots_total, now.keys_moved));
        });
    out_.progress("");
    auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    traffic.finish();
    if (!moved) return moved;
    if (!traffic.first_error().empty()) {
      return make_error(ErrorCode::Conflict, "the client saw an error: {}", traffic.first_error());
    }
    out_.say(fmt::format("{} slots with {} keys moved in {:.1f} s", last.slots_done,
                         last.keys_moved, took));
    out_.say(fmt::format(
        "meanwhile the client did {} reads and writes, followed {} redirects, and saw 0 "
        "errors",
        traffic.operations(), traffic.redirects()));
    return wait_for_agreement(client_, nodes_, kDaemons, true, std::chrono::milliseconds(10000));
  }

  Result<void> prove() {
    heading("Proving that every word is there exactly once");
    Result<WordCheck> check = check_words(client_, keys_);
    if (!check) return check.error();
    out_.say(fmt::format(
        "{} words: {} right, {} missing, {} wrong; the masters hold {} keys in all",
        keys_.words.size(), check->right, check->missing, check->wrong, check->keys_on_masters));
    if (check->right != keys_.words.size() || check->keys_on_masters != keys_.words.size()) {
      return Error{ErrorCode::Corrupt, "keys were lost, changed or doubled"};
    }
    Result<Topology> topology = client_.topology();
    if (!topology) return topology.error();
    out_.say(slot_picture(*topology, out_.colour()));
    return heartbeats();
  }

  void farewell() {
    heading("The cluster stays up. Go on with");
    std::string dir = options_.directory == LocalCluster::default_directory()
                          ? ""
                          : fmt::format(" --dir {}", options_.directory);
    out_.say(
        fmt::format("  {0} nodes              who is there\n"
                    "  {0} map                who owns what\n"
                    "  {0} heartbeats --watch what they say to each other\n"
                    "  {0} migrate 1000-1999 --to {1} --yes\n"
                    "  {0} check              is all well?\n"
                    "  redis-cli -c -p {2}    any Redis Cluster client works\n"
                    "and stop it with\n"
                    "  {0} local stop{3}",
                    cli_.program(), nodes_.back().text(), nodes_.front().port, dir));
  }

  const Cli& cli_;
  const Options& options_;
  Printer out_;
  ClusterClient client_;
  std::vector<Endpoint> nodes_;
  std::vector<uint16_t> bus_ports_;
  WordKeys keys_;
};

}  // namespace

void add_demo(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = cli.command(
      app, "demo",
      "Start three daemons, load words, move slots under load, and prove nothing is lost",
      "slotctl demo --words /usr/share/dict/words", [&cli, options] {
        Result<void> done = Demo(cli, *options).run();
        if (done) cli.printer().document({{"ok", true}});
        return done ? ExitCode::Done : cli.fail(done.error());
      });
  command->add_option("--words", options->words, "A file whose lines become keys");
  command->add_option("--dir", options->directory, "Where the daemons live");
}

}  // namespace slotd
