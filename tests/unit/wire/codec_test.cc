#include "common/wire/codec.h"

#include <catch2/catch.hpp>

#include "common/wire/frame.h"
#include "tests/unit/cluster/made_records.h"

using namespace slotd;
using namespace slotd::test;

namespace {

Greeting made_greeting(Rng& rng) {
  return {made_cluster(1), made_record(1, rng), rng.one_in(2), rng.next(),
          {rng.next()},    {rng.below(9)},      "10.0.0.7"};
}

HeartbeatMessage made_heartbeat(Rng& rng) {
  HeartbeatMessage heartbeat{rng.next(), rng.next(), {rng.next()}, rng.next(), {rng.next()}, {}};
  for (uint64_t i = rng.below(5); i > 0; --i) {
    if (rng.one_in(3)) {
      heartbeat.rumours.push_back(Removal{made_id(i), {rng.next()}});
    } else {
      heartbeat.rumours.push_back(MemberNews{made_record_ptr(i, rng), rng.one_in(2)});
    }
  }
  return heartbeat;
}

CompareMessage made_compare(Rng& rng) {
  CompareMessage compare;
  if (rng.one_in(2)) {
    for (size_t i = 0; i < kDigestBuckets; ++i) compare.buckets.push_back(rng.next());
    return compare;
  }
  compare.of_buckets = {0, 63, 7};
  for (uint64_t i = rng.below(9); i > 0; --i) compare.items.push_back({rng.next(), rng.next()});
  for (uint64_t i = rng.below(9); i > 0; --i) compare.wanted.push_back(rng.next());
  return compare;
}

BallotMessage made_ballots(Rng& rng) {
  BallotMessage message;
  for (uint64_t i = rng.below(5); i > 0; --i) {
    message.ballots.push_back(
        {made_id(i), {rng.next()}, rng.next(), MySlots::encode(made_slots(rng))});
  }
  return message;
}

// One message of every kind.
std::vector<Message> made_messages(Rng& rng) {
  HelloMessage to_somebody{made_greeting(rng), false, made_id(3)};
  HelloMessage meeting{made_greeting(rng), true, {}};
  auto reason = static_cast<RefuseReason>(rng.between(1, 5));
  auto probe = static_cast<ProbeMessage::Kind>(rng.between(1, 4));
  return {to_somebody,
          meeting,
          WelcomeMessage{made_greeting(rng)},
          RefuseMessage{reason, {rng.next()}},
          made_heartbeat(rng),
          made_compare(rng),
          ProbeMessage{probe, made_id(4)},
          made_ballots(rng)};
}

Result<Message> decode_frame(ByteView bytes) {
  FrameReader reader;
  reader.push(bytes);
  Result<std::optional<Frame>> frame = reader.next();
  if (!frame) return frame.error();
  if (!frame->has_value()) return Error{ErrorCode::Corrupt, "no whole frame"};
  return decode_message((*frame)->kind, (*frame)->payload);
}

}  // namespace

TEST_CASE("every kind of message round trips") {
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    for (const Message& message : made_messages(rng)) {
      Bytes bytes = encode_frame(message);
      Result<Message> decoded = decode_frame(bytes);
      REQUIRE(decoded.ok());
      REQUIRE(decoded->index() == message.index());
      // The encoding says all there is, so equal bytes are equal messages.
      REQUIRE(encode_frame(*decoded) == bytes);
    }
  }
}

TEST_CASE("the fields of messages arrive where they belong") {
  Rng rng(2);
  HeartbeatMessage sent{1, 2, {3}, 4, {5}, {MemberNews{made_record_ptr(1, rng), true}}};
  Result<Message> decoded = decode_frame(encode_frame(sent));
  REQUIRE(decoded.ok());
  const auto& heard = std::get<HeartbeatMessage>(*decoded);
  CHECK(heard.sequence == 1);
  CHECK(heard.acknowledged == 2);
  CHECK(heard.version == Version{3});
  CHECK(heard.digest == 4);
  CHECK(heard.current_epoch == CurrentEpoch{5});
  REQUIRE(heard.rumours.size() == 1);
  const auto& news = std::get<MemberNews>(heard.rumours[0]);
  CHECK(news.failed);
  CHECK(*news.record == *std::get<MemberNews>(sent.rumours[0]).record);
}

TEST_CASE("a steady heartbeat takes at most 64 bytes, whatever its numbers") {
  constexpr uint64_t kLarge = uint64_t{1} << 48;
  CHECK(encode_frame(HeartbeatMessage{1, 1, {1}, kLarge, {1}, {}}).size() <= 64);
  CHECK(
      encode_frame(HeartbeatMessage{kLarge, kLarge, {kLarge}, ~uint64_t{0}, {kLarge}, {}}).size() <=
      64);
}

TEST_CASE("cut and mutated messages are refused or can be encoded again") {
  Rng rng(3);
  for (int round = 0; round < 60; ++round) {
    for (const Message& message : made_messages(rng)) {
      Bytes bytes = encode_frame(message);
      MessageKind kind = kind_of(message);
      Bytes payload(bytes.begin() + kFrameHeaderBytes, bytes.end());
      if (!payload.empty()) payload[rng.below(payload.size())] ^= static_cast<uint8_t>(rng.next());
      if (rng.one_in(2)) payload.resize(rng.below(payload.size() + 1));
      Result<Message> decoded = decode_message(kind, payload);
      if (decoded.ok()) {
        REQUIRE(decode_frame(encode_frame(*decoded)).ok());
      } else {
        REQUIRE_FALSE(decoded.error().message.empty());
      }
    }
  }
}

TEST_CASE("records that cannot be meant are refused") {
  Rng rng(4);
  auto refused = [](NodeRecord record) {
    HeartbeatMessage heartbeat;
    heartbeat.rumours.push_back(MemberNews{std::make_shared<const NodeRecord>(record), false});
    return !decode_frame(encode_frame(heartbeat)).ok();
  };
  NodeRecord good = made_record(1, rng);
  CHECK_FALSE(refused(good));
  NodeRecord bad = good;
  bad.id = {};
  CHECK(refused(bad));
  bad = good;
  bad.address.hostname = "a b";
  CHECK(refused(bad));
  bad = good;
  bad.address.hostname = std::string(256, 'a');
  CHECK(refused(bad));
  bad = good;
  bad.address.ip = "127.0.0.1\r\n";
  CHECK(refused(bad));
  bad = good;
  bad.role = static_cast<NodeRole>(3);
  CHECK(refused(bad));
  bad = good;
  bad.after.assign(kMaxDependencies + 1, {made_id(2), {1}});
  CHECK(refused(bad));
}
