#include "common/wire/state_file.h"

#include <catch2/catch.hpp>

#include "tests/unit/cluster/made_records.h"

using namespace slotd;
using namespace slotd::test;

namespace {

// A state whose file is short enough to try every bit of.
PersistentState small_state() {
  Rng rng(1);
  PersistentState state = made_state(rng);
  state.self.slots = MySlots::encode(SlotSet::of({0, 5460}));
  for (NodeRecord& member : state.members) member.slots = MySlots();
  return state;
}

}  // namespace

TEST_CASE("a state file says all of the state") {
  Rng rng(2);
  for (int round = 0; round < 100; ++round) {
    PersistentState state = made_state(rng);
    Result<PersistentState> read = decode_state(encode_state(state));
    REQUIRE(read.ok());
    CHECK(read->cluster == state.cluster);
    CHECK(read->self == state.self);
    CHECK(read->current_epoch == state.current_epoch);
    CHECK(read->removed == state.removed);
    CHECK(read->members == state.members);
    CHECK(read->removals == state.removals);
    CHECK(read->migrating == state.migrating);
    CHECK(read->importing == state.importing);
  }
}

TEST_CASE("a state file cut short at any byte is an error") {
  Bytes bytes = encode_state(small_state());
  for (size_t length = 0; length < bytes.size(); ++length) {
    Result<PersistentState> read = decode_state(ByteView(bytes).first(length));
    REQUIRE_FALSE(read.ok());
    REQUIRE_FALSE(read.error().message.empty());
  }
}

TEST_CASE("a state file with any one bit turned is an error") {
  Bytes bytes = encode_state(small_state());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    REQUIRE_FALSE(decode_state(bytes).ok());
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
  }
  CHECK(decode_state(bytes).ok());
}

TEST_CASE("a state file with more behind it is an error") {
  Bytes bytes = encode_state(small_state());
  bytes.push_back(0);
  CHECK_FALSE(decode_state(bytes).ok());
}

TEST_CASE("a whole file that says what cannot be is an error") {
  PersistentState state = small_state();
  state.cluster = {};
  CHECK_FALSE(decode_state(encode_state(state)).ok());
  state = small_state();
  state.self.id = {};
  CHECK_FALSE(decode_state(encode_state(state)).ok());
  state = small_state();
  state.migrating[kSlotCount] = made_id(1);
  CHECK_FALSE(decode_state(encode_state(state)).ok());
}
