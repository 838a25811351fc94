#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "common/base/assert.h"

namespace slotd {

// What kind of thing went wrong. Callers decide on the code; people read the message.
enum class ErrorCode : uint8_t {
  InvalidArgument,  // the caller or the user said something that cannot be meant
  OutOfRange,       // a number outside its bounds
  Corrupt,          // bytes that do not decode
  NotFound,         // a node, slot or key that is not there
  Conflict,         // true now, but may not be: a slot that somebody owns already
  Refused,          // a peer or a rule said no
  Unavailable,      // cannot be answered at this moment; trying again may help
  Io,               // the operating system said no
  Timeout,
  TooLarge,
};

struct Error {
  ErrorCode code;
  std::string message;  // one line, names what was wrong, no trailing full stop
};

template <typename... Args>
Error make_error(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return Error{code, fmt::format(format, std::forward<Args>(args)...)};
}

// A value or the reason why there is none. Reading the wrong side is a bug and aborts.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return check(), *std::get_if<0>(&state_); }
  const T& value() const& { return check(), *std::get_if<0>(&state_); }
  T&& value() && { return check(), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    SLOT_ASSERT(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  void check() const { SLOT_ASSERT(ok()); }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : failed_(true), error_(std::move(error)) {}

  bool ok() const { return !failed_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    SLOT_ASSERT(failed_);
    return error_;
  }

 private:
  bool failed_ = false;
  Error error_{};
};

}  // namespace slotd
