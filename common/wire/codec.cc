#include "common/wire/codec.h"

#include "common/wire/frame.h"
#include "common/wire/proto_records.h"

namespace slotd {
namespace {

void fill(const Greeting& greeting, pb::Greeting& out) {
  out.set_cluster(to_proto(greeting.cluster));
  to_proto(greeting.self, *out.mutable_self());
  out.set_alone(greeting.alone);
  out.set_digest(greeting.digest);
  out.set_current_epoch(greeting.current_epoch.value);
  out.set_admits(greeting.admits.value);
  out.set_your_ip(greeting.your_ip);
}

pb::Hello pack(const HelloMessage& message) {
  pb::Hello out;
  fill(message.greeting, *out.mutable_greeting());
  out.set_meet(message.meet);
  if (!message.expected.is_zero()) out.set_expected(to_proto(message.expected));
  return out;
}

pb::Welcome pack(const WelcomeMessage& message) {
  pb::Welcome out;
  fill(message.greeting, *out.mutable_greeting());
  return out;
}

pb::Refuse pack(const RefuseMessage& message) {
  pb::Refuse out;
  out.set_reason(static_cast<uint32_t>(message.reason));
  out.set_generation(message.generation.value);
  return out;
}

pb::Heartbeat pack(const HeartbeatMessage& message) {
  pb::Heartbeat out;
  out.set_sequence(message.sequence);
  out.set_acknowledged(message.acknowledged);
  out.set_version(message.version.value);
  out.set_digest(message.digest);
  out.set_current_epoch(message.current_epoch.value);
  for (const Rumour& rumour : message.rumours) to_proto(rumour, *out.add_rumours());
  return out;
}

pb::Compare pack(const CompareMessage& message) {
  pb::Compare out;
  for (uint64_t bucket : message.buckets) out.add_buckets(bucket);
  for (uint16_t bucket : message.of_buckets) out.add_of_buckets(bucket);
  for (const CompareMessage::Item& item : message.items) {
    out.add_item_ids(item.id_hash);
    out.add_item_states(item.state_hash);
  }
  for (uint64_t id : message.wanted) out.add_wanted(id);
  return out;
}

pb::Probe pack(const ProbeMessage& message) {
  pb::Probe out;
  out.set_kind(static_cast<uint32_t>(message.kind));
  out.set_subject(to_proto(message.subject));
  return out;
}

pb::Ballots pack(const BallotMessage& message) {
  pb::Ballots out;
  for (const Ballot& ballot : message.ballots) {
    pb::Ballot* item = out.add_ballots();
    item->set_subject(to_proto(ballot.subject));
    item->set_version(ballot.version.value);
    item->set_electorate(ballot.electorate);
    item->set_voters_encoding(static_cast<uint32_t>(ballot.voters.encoding()));
    item->set_voters(ballot.voters.bytes().data(), ballot.voters.bytes().size());
  }
  return out;
}

Result<Greeting> unpack(const pb::Greeting& in) {
  Greeting greeting;
  if (!from_proto(in.cluster(), greeting.cluster)) {
    return Error{ErrorCode::Corrupt, "greeting: bad cluster id"};
  }
  Result<NodeRecord> self = from_proto(in.self());
  if (!self) return self.error();
  greeting.self = *std::move(self);
  greeting.alone = in.alone();
  greeting.digest = in.digest();
  greeting.current_epoch = {in.current_epoch()};
  greeting.admits = {in.admits()};
  if (in.your_ip().size() > kMaxIpBytes ||
      in.your_ip().find_first_not_of("0123456789abcdefABCDEF.:") != std::string::npos) {
    return Error{ErrorCode::Corrupt, "greeting: bad ip"};
  }
  greeting.your_ip = in.your_ip();
  return greeting;
}

Result<Message> unpack(const pb::Hello& in) {
  Result<Greeting> greeting = unpack(in.greeting());
  if (!greeting) return greeting.error();
  HelloMessage message{*std::move(greeting), in.meet(), {}};
  if (!in.expected().empty() && !from_proto(in.expected(), message.expected)) {
    return Error{ErrorCode::Corrupt, "hello: bad expected id"};
  }
  return Message{std::move(message)};
}

Result<Message> unpack(const pb::Welcome& in) {
  Result<Greeting> greeting = unpack(in.greeting());
  if (!greeting) return greeting.error();
  return Message{WelcomeMessage{*std::move(greeting)}};
}

Result<Message> unpack(const pb::Refuse& in) {
  if (in.reason() < 1 || in.reason() > static_cast<uint32_t>(RefuseReason::Duplicate)) {
    return make_error(ErrorCode::Corrupt, "refuse: unknown reason {}", in.reason());
  }
  return Message{RefuseMessage{static_cast<RefuseReason>(in.reason()), {in.generation()}}};
}

Result<Message> unpack(const pb::Heartbeat& in) {
  HeartbeatMessage message;
  message.sequence = in.sequence();
  message.acknowledged = in.acknowledged();
  message.version = {in.version()};
  message.digest = in.digest();
  message.current_epoch = {in.current_epoch()};
  for (const pb::Rumour& item : in.rumours()) {
    Result<Rumour> rumour = from_proto(item);
    if (!rumour) return rumour.error();
    message.rumours.push_back(*std::move(rumour));
  }
  return Message{std::move(message)};
}

Result<Message> unpack(const pb::Compare& in) {
  CompareMessage message;
  bool buckets_fit =
      in.buckets_size() == 0 || in.buckets_size() == static_cast<int>(kDigestBuckets);
  if (!buckets_fit || in.item_ids_size() != in.item_states_size()) {
    return Error{ErrorCode::Corrupt, "compare: lists do not fit together"};
  }
  message.buckets.assign(in.buckets().begin(), in.buckets().end());
  for (uint32_t bucket : in.of_buckets()) {
    if (bucket >= kDigestBuckets) return Error{ErrorCode::Corrupt, "compare: no such bucket"};
    message.of_buckets.push_back(static_cast<uint16_t>(bucket));
  }
  for (int i = 0; i < in.item_ids_size(); ++i) {
    message.items.push_back({in.item_ids(i), in.item_states(i)});
  }
  message.wanted.assign(in.wanted().begin(), in.wanted().end());
  return Message{std::move(message)};
}

Result<Message> unpack(const pb::Probe& in) {
  ProbeMessage message{ProbeMessage::Kind::Ping, {}};
  if (in.kind() < 1 || in.kind() > 4 || !from_proto(in.subject(), message.subject)) {
    return Error{ErrorCode::Corrupt, "probe: bad kind or subject"};
  }
  message.kind = static_cast<ProbeMessage::Kind>(in.kind());
  return Message{message};
}

Result<Message> unpack(const pb::Ballots& in) {
  BallotMessage message;
  for (const pb::Ballot& item : in.ballots()) {
    Ballot ballot;
    if (!from_proto(item.subject(), ballot.subject) || item.voters_encoding() > 0xff) {
      return Error{ErrorCode::Corrupt, "ballot: bad subject or encoding"};
    }
    Result<MySlots> voters =
        MySlots::parse(static_cast<uint8_t>(item.voters_encoding()), as_bytes(item.voters()));
    if (!voters) return voters.error();
    ballot.version = {item.version()};
    ballot.electorate = item.electorate();
    ballot.voters = *std::move(voters);
    message.ballots.push_back(std::move(ballot));
  }
  return Message{std::move(message)};
}

template <typename Proto>
Result<Message> parse(ByteView payload) {
  Proto proto;
  if (!proto.ParseFromArray(payload.data(), static_cast<int>(payload.size()))) {
    return Error{ErrorCode::Corrupt, "payload is not a message of its kind"};
  }
  return unpack(proto);
}

}  // namespace

Bytes encode_frame(const Message& message) {
  return std::visit(
      [&](const auto& value) {
        std::string payload = pack(value).SerializeAsString();
        return make_frame(kind_of(message), as_bytes(payload));
      },
      message);
}

Result<Message> decode_message(MessageKind kind, ByteView payload) {
  switch (kind) {
    case MessageKind::Hello: return parse<pb::Hello>(payload);
    case MessageKind::Welcome: return parse<pb::Welcome>(payload);
    case MessageKind::Refuse: return parse<pb::Refuse>(payload);
    case MessageKind::Heartbeat: return parse<pb::Heartbeat>(payload);
    case MessageKind::Compare: return parse<pb::Compare>(payload);
    case MessageKind::Probe: return parse<pb::Probe>(payload);
    case MessageKind::Ballot: return parse<pb::Ballots>(payload);
  }
  return make_error(ErrorCode::Corrupt, "unknown kind {}", static_cast<int>(kind));
}

}  // namespace slotd
