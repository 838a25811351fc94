#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/cluster/router.h"
#include "common/resp/parser.h"
#include "common/resp/writer.h"
#include "daemon/client/client_context.h"
#include "daemon/client/command.h"
#include "daemon/uv/tcp.h"

namespace slotd {

// What a client chose or was given.
struct ClientState {
  enum class Replies : uint8_t { On, Off, SkipNext, SkipThis };

  RespVersion version = RespVersion::Resp2;
  bool authenticated = false;
  bool asking = false;
  bool readonly = false;
  bool no_evict = false;
  Replies replies = Replies::On;
  std::string name;
  std::string library;
  std::string library_version;
};

// MULTI: the commands that wait for EXEC, and WATCH.
struct Transaction {
  struct Queued {
    const CommandSpec* spec;
    std::vector<std::string> args;
  };
  struct Watched {
    std::string key;
    bool present;
  };

  bool open = false;
  bool broken = false;  // a command was refused: EXEC gives up
  std::vector<Queued> queue;
  size_t queued_bytes = 0;
  std::vector<Watched> watched;
  Keyspace::Dirty dirty;  // shared with the keyspace while anything is watched
};

// One client: bytes in, commands run, bytes out. Knows no socket; whoever owns it moves the bytes.
//
// A command that cannot be answered yet (a key is on its way to another node, clients are paused, a
// MIGRATE is under way) makes the session wait: it keeps later bytes and goes on when it is
// resumed.
class ClientSession {
 public:
  // `wake` is called when output or a wish to close came from outside of feed().
  ClientSession(ClientContext& context, SocketAddress remote, SocketAddress local,
                std::function<void()> wake);
  ~ClientSession();
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;

  void feed(std::string_view bytes);
  std::string take_output() { return std::exchange(output_, {}); }
  size_t output_bytes() const { return output_.size(); }
  bool waiting() const { return waiting_ != Waiting::No; }
  // After the output was sent: the client said QUIT, or broke the protocol.
  bool close_after_reply() const { return close_after_reply_; }
  // At once.
  bool killed() const { return killed_; }

  uint64_t id() const { return id_; }
  const SocketAddress& remote() const { return remote_; }
  const SocketAddress& local() const { return local_; }
  Instant last_active() const { return last_active_; }
  // One line of CLIENT LIST, without the line end.
  std::string describe() const;

  // For command handlers.
  ClientState& state() { return state_; }
  Transaction& transaction() { return transaction_; }
  void close_when_sent() { close_after_reply_ = true; }
  void kill();
  void forget_transaction();
  void unwatch();
  // No reply yet; finish_wait brings it.
  void begin_wait() { waiting_ = Waiting::Answer; }
  void finish_wait(const std::function<void(RespWriter&)>& write);
  // Tries the command again that a lock or a pause held up.
  void resume();
  // The reply from `output_before` on says that something was done which is saved only when the
  // whole pipeline was run; if the disk then refuses, an error takes its place.
  void promise(size_t output_before) { promises_.push_back({output_before, output_.size()}); }
  // Runs what was queued; the caller wrote the header of the reply.
  void run_queue();
  void begin_session();  // RESET: as if just connected

 private:
  enum class Waiting : uint8_t { No, Retry, Answer };

  void process();
  void run_pipeline();
  void keep_promises();
  void consume(size_t bytes);
  void fail_protocol();
  // False: the command has to wait.
  bool execute(std::span<const std::string_view> args);
  const CommandSpec* look_up(std::span<const std::string_view> args);
  bool allowed(const CommandSpec& spec);
  bool must_wait(const CommandSpec& spec);
  bool here(const CommandSpec& spec, Slot& slot);
  KeyPresence presence();
  void redirect(const CommandSpec& spec, const Route& found, const ClusterView& view);
  void refuse(std::string_view error);
  void queue(const CommandSpec& spec, std::span<const std::string_view> args);
  void run(const CommandSpec& spec, std::span<const std::string_view> args, Slot slot);
  void settle_replies(size_t output_before);

  ClientContext& context_;
  uint64_t id_;
  SocketAddress remote_;
  SocketAddress local_;
  std::function<void()> wake_;
  Instant since_;
  Instant last_active_;

  std::string input_;
  size_t start_ = 0;  // bytes of input_ that are done
  RequestParser parser_;
  std::string output_;
  struct Promise {
    size_t begin;
    size_t end;
  };
  std::vector<Promise> promises_;  // positions in output_, ascending
  std::vector<std::string_view> keys_;  // of the command that runs
  std::vector<Slot> slots_;

  ClientState state_;
  Transaction transaction_;
  const CommandSpec* last_command_ = nullptr;
  Waiting waiting_ = Waiting::No;
  bool close_after_reply_ = false;
  bool killed_ = false;
};

}  // namespace slotd
