#include "cli/resp_client.h"

#include <hiredis/hiredis.h>
#include <sys/time.h>

#include <cerrno>

namespace slotd {
namespace {

Reply convert(const redisReply& reply) {
  Reply value;
  switch (reply.type) {
    case REDIS_REPLY_STRING: value.kind = Reply::Kind::Text; break;
    case REDIS_REPLY_STATUS: value.kind = Reply::Kind::Status; break;
    case REDIS_REPLY_ERROR: value.kind = Reply::Kind::Error; break;
    case REDIS_REPLY_INTEGER: value.kind = Reply::Kind::Number; break;
    case REDIS_REPLY_ARRAY: value.kind = Reply::Kind::List; break;
    default: return value;
  }
  if (reply.str != nullptr) value.text.assign(reply.str, static_cast<size_t>(reply.len));
  value.number = reply.integer;
  if (reply.type != REDIS_REPLY_ARRAY) return value;
  for (size_t i = 0; i < static_cast<size_t>(reply.elements); ++i) {
    value.items.push_back(convert(*reply.element[i]));
  }
  return value;
}

timeval to_timeval(std::chrono::milliseconds span) {
  return {static_cast<time_t>(span.count() / 1000),
          static_cast<suseconds_t>(span.count() % 1000 * 1000)};
}

}  // namespace

void RespClient::Free::operator()(redisContext* context) const { redisFree(context); }

RespClient::RespClient(redisContext* context, std::string peer)
    : context_(context), peer_(std::move(peer)) {}

Error RespClient::broken() const {
  if (context_->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    return make_error(ErrorCode::Unavailable, "{}: no answer in time", peer_);
  }
  return make_error(ErrorCode::Unavailable, "{}: {}", peer_, context_->errstr);
}

Result<RespClient> RespClient::connect(const std::string& host, uint16_t port,
                                       const ConnectOptions& options) {
  timeval timeout = to_timeval(options.timeout);
  redisContext* context = redisConnectWithTimeout(host.c_str(), port, timeout);
  if (context == nullptr) return Error{ErrorCode::Unavailable, "out of memory"};
  RespClient client(context, fmt::format("{}:{}", host, port));
  if (context->err != 0) {
    return make_error(ErrorCode::Unavailable, "cannot connect to {}: {}", client.peer_,
                      context->errstr);
  }
  redisSetTimeout(context, timeout);
  if (!options.password.empty()) {
    Result<Reply> answer = client.demand({"AUTH", options.password});
    if (!answer) return answer.error();
  }
  return client;
}

void RespClient::queue(const std::vector<std::string>& command) {
  std::vector<const char*> words;
  std::vector<size_t> lengths;
  for (const std::string& word : command) {
    words.push_back(word.data());
    lengths.push_back(word.size());
  }
  redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), words.data(),
                         lengths.data());
}

Result<Reply> RespClient::next_reply() {
  void* raw = nullptr;
  if (redisGetReply(context_.get(), &raw) != REDIS_OK) return broken();
  std::unique_ptr<redisReply, decltype(&freeReplyObject)> reply(static_cast<redisReply*>(raw),
                                                               freeReplyObject);
  return convert(*reply);
}

Result<Reply> RespClient::call(const std::vector<std::string>& command) {
  queue(command);
  return next_reply();
}

Result<Reply> RespClient::demand(const std::vector<std::string>& command) {
  Result<Reply> reply = call(command);
  if (!reply || !reply->is_error()) return reply;
  return make_error(ErrorCode::Refused, "{}: {}", peer_, reply->text);
}

}  // namespace slotd
