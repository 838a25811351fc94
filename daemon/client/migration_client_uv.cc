#include "daemon/client/migration_client_uv.h"

#include <algorithm>

#include "common/resp/value.h"
#include "common/resp/writer.h"
#include "daemon/uv/tcp.h"

namespace slotd {
namespace {

constexpr Duration kKeepIdle = seconds(10);  // as Redis keeps its MIGRATE sockets
constexpr size_t kMaxReplyBytes = 1u << 20;  // unread; a target that sends more is no Redis

constexpr std::string_view kCannotWrite = "IOERR error or timeout writing to target instance";
constexpr std::string_view kCannotRead = "IOERR error or timeout reading from target instance";

void append_restore(std::string& out, const Transfer& transfer, const Transfer::Key& key) {
  std::vector<std::string_view> words{"RESTORE-ASKING", key.name};
  std::string ttl = std::to_string(key.ttl_ms);
  words.push_back(ttl);
  words.push_back(key.payload);
  if (transfer.replace) words.push_back("REPLACE");
  append_request(out, words);
}

std::string make_pipeline(const Transfer& transfer) {
  std::string out;
  if (!transfer.password.empty()) {
    std::vector<std::string_view> words{"AUTH"};
    if (!transfer.user.empty()) words.push_back(transfer.user);
    words.push_back(transfer.password);
    append_request(out, words);
  }
  for (const Transfer::Key& key : transfer.keys) append_restore(out, transfer, key);
  return out;
}

}  // namespace

class MigrationClientUv::Connection {
 public:
  Connection(MigrationClientUv& owner, std::string host, uint16_t port)
      : owner_(owner),
        host_(std::move(host)),
        port_(port),
        stream_(std::make_unique<TcpStream>(owner.loop_)),
        timer_(owner.loop_, [this] { fail(); }) {}

  bool serves(const Transfer& transfer) const {
    return !busy_ && host_ == transfer.host && port_ == transfer.port;
  }

  void carry(Transfer transfer, Done done) {
    reused_ = connected_;
    transfer_ = std::move(transfer);
    done_ = std::move(done);
    busy_ = true;
    sent_ = false;
    outcomes_.clear();
    timer_.start(transfer_.timeout);
    if (connected_) return send();
    stream_->connect(host_, port_, [this](const Result<void>& result) {
      if (!result.ok()) return fail();
      connected_ = true;
      listen();
      send();
    });
  }

 private:
  void listen() {
    stream_->start_reading([this](std::string_view bytes) { on_bytes(bytes); },
                           [this] { on_closed(); });
  }

  void send() {
    outcomes_.clear();
    input_.clear();
    awaits_auth_ = !transfer_.password.empty();
    sent_ = true;
    stream_->write(make_pipeline(transfer_));
  }

  void on_bytes(std::string_view bytes) {
    input_ += bytes;
    size_t used = 0;
    while (busy_) {
      Value value;
      size_t consumed = 0;
      ParseStatus status = parse_reply(std::string_view(input_).substr(used), value, consumed);
      bool hopeless = status == ParseStatus::NeedMore && input_.size() - used > kMaxReplyBytes;
      if (status == ParseStatus::Error || hopeless) return fail();
      if (status == ParseStatus::NeedMore) break;
      used += consumed;
      on_reply(value);
    }
    input_.erase(0, std::min(used, input_.size()));
  }

  void on_reply(const Value& value) {
    KeyOutcome outcome;
    if (value.is_error()) outcome = Error{ErrorCode::Refused, value.text};
    if (awaits_auth_) {
      awaits_auth_ = false;
      auth_ = outcome;
      return;
    }
    // A refused password is the reason for all refusals that follow it.
    outcomes_.push_back(outcome.ok() || auth_.ok() ? outcome : auth_);
    if (outcomes_.size() == transfer_.keys.size()) succeed();
  }

  // The target closes connections that it thinks idle: one try more, on a new one.
  void on_closed() {
    bool stale = busy_ && reused_ && outcomes_.empty() && input_.empty();
    if (!stale) return fail();
    connected_ = false;
    Transfer transfer = std::move(transfer_);
    Done done = std::move(done_);
    busy_ = false;
    MigrationClientUv& owner = owner_;
    owner.close_later(*this);
    owner.start(std::move(transfer), std::move(done));
  }

  void succeed() {
    busy_ = false;
    auth_ = {};
    timer_.start(kKeepIdle);
    Done done = std::move(done_);
    done(std::move(outcomes_));
  }

  // A timeout, a broken connection, or the end of an idle one. The half-read stream is of no use.
  void fail() {
    bool told = std::exchange(busy_, false);
    Done done = std::move(done_);
    Error error{ErrorCode::Io, std::string(sent_ ? kCannotRead : kCannotWrite)};
    owner_.close_later(*this);
    if (!told) return;
    // What was acknowledged has arrived, whatever became of the rest.
    std::vector<KeyOutcome> outcomes = std::move(outcomes_);
    if (outcomes.empty()) return done(error);
    while (outcomes.size() < transfer_.keys.size()) outcomes.push_back(error);
    done(std::move(outcomes));
  }

  MigrationClientUv& owner_;
  std::string host_;
  uint16_t port_;
  std::unique_ptr<TcpStream> stream_;
  Timer timer_;  // of the transfer, or until the idle connection goes
  Transfer transfer_;
  Done done_;
  std::string input_;
  std::vector<KeyOutcome> outcomes_;
  KeyOutcome auth_;
  bool busy_ = false;
  bool connected_ = false;
  bool reused_ = false;
  bool sent_ = false;
  bool awaits_auth_ = false;
};

MigrationClientUv::MigrationClientUv(Loop& loop)
    : loop_(loop), sweep_(loop, [this] { closing_.clear(); }) {}

MigrationClientUv::~MigrationClientUv() = default;

void MigrationClientUv::start(Transfer transfer, Done done) {
  auto idle = std::find_if(connections_.begin(), connections_.end(),
                           [&](const auto& connection) { return connection->serves(transfer); });
  Connection* connection = idle != connections_.end() ? idle->get() : nullptr;
  if (connection == nullptr) {
    connections_.push_back(std::make_unique<Connection>(*this, transfer.host, transfer.port));
    connection = connections_.back().get();
  }
  connection->carry(std::move(transfer), std::move(done));
}

void MigrationClientUv::close_later(Connection& connection) {
  auto found = std::find_if(connections_.begin(), connections_.end(),
                            [&](const auto& owned) { return owned.get() == &connection; });
  if (found == connections_.end()) return;
  closing_.push_back(std::move(*found));
  connections_.erase(found);
  sweep_.start(Duration(0));
}

}  // namespace slotd
