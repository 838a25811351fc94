#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "common/base/result.h"

struct redisContext;

namespace slotd {

// A reply as plain values.
struct Reply {
  enum class Kind : uint8_t { Null, Text, Status, Number, List, Error };
  Kind kind = Kind::Null;
  std::string text;  // of Text, Status and Error
  int64_t number = 0;
  std::vector<Reply> items;

  bool is_error() const { return kind == Kind::Error; }
};

struct ConnectOptions {
  std::chrono::milliseconds timeout{5000};  // to connect, and for each reply
  std::string password;
};

// One connection to one server. After an error of code Unavailable it is of no use.
class RespClient {
 public:
  static Result<RespClient> connect(const std::string& host, uint16_t port,
                                    const ConnectOptions& options);

  // An error reply is a value here: see Reply::is_error.
  Result<Reply> call(const std::vector<std::string>& command);
  // The same, with an error reply as an Error of code Refused.
  Result<Reply> demand(const std::vector<std::string>& command);

  // Pipelining: queue commands, then read as many replies.
  void queue(const std::vector<std::string>& command);
  Result<Reply> next_reply();

 private:
  struct Free {
    void operator()(redisContext* context) const;
  };
  RespClient(redisContext* context, std::string peer);
  Error broken() const;

  std::unique_ptr<redisContext, Free> context_;
  std::string peer_;
};

}  // namespace slotd
