#include "common/base/result.h"

#include <catch2/catch.hpp>

#include <memory>

using namespace slotd;

namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return make_error(ErrorCode::InvalidArgument, "{} is odd", number);
  return number / 2;
}

Result<void> refuse(bool refused) {
  if (refused) return Error{ErrorCode::Refused, "refused"};
  return {};
}

}  // namespace

TEST_CASE("a result is a value or an error") {
  Result<int> good = half(4);
  REQUIRE(good.ok());
  CHECK(static_cast<bool>(good));
  CHECK(*good == 2);
  Result<int> bad = half(3);
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().code == ErrorCode::InvalidArgument);
  CHECK(bad.error().message == "3 is odd");
}

TEST_CASE("a result without a value") {
  CHECK(refuse(false).ok());
  REQUIRE_FALSE(refuse(true).ok());
  CHECK(refuse(true).error().message == "refused");
}

TEST_CASE("a value that can only be moved comes out by a move") {
  Result<std::unique_ptr<int>> owner(std::make_unique<int>(7));
  std::unique_ptr<int> taken = *std::move(owner);
  CHECK(*taken == 7);
}

TEST_CASE("a result of an error's own type keeps the sides apart") {
  Result<std::string> text(std::string("fine"));
  REQUIRE(text.ok());
  CHECK(text->size() == 4);
  text = Error{ErrorCode::Io, "disk full"};
  CHECK(text.error().code == ErrorCode::Io);
}
