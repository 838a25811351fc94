// fuzz_seeds DIRECTORY: writes examples that are right, DIRECTORY/HARNESS/NUMBER, so that mutation
// starts where the decoders are deep. Made by the encoders themselves: nothing to keep up to date.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "common/slot/slot_ranges.h"
#include "common/wire/codec.h"
#include "common/wire/frame.h"
#include "common/wire/state_file.h"
#include "daemon/client/dump_payload.h"
#include "tests/unit/cluster/made_records.h"

using namespace slotd;
using namespace slotd::test;

namespace {

class Seeds {
 public:
  explicit Seeds(std::filesystem::path directory) : directory_(std::move(directory)) {}

  void add(const std::string& harness, const std::string& text) {
    std::filesystem::create_directories(directory_ / harness);
    std::ofstream file(directory_ / harness / std::to_string(++count_[harness]), std::ios::binary);
    file << text;
    written_ = written_ && file.flush().good();
  }
  void add(const std::string& harness, uint8_t first, ByteView rest) {
    add(harness, std::string(1, static_cast<char>(first)) + std::string(as_text(rest)));
  }
  bool written() const { return written_; }

 private:
  std::filesystem::path directory_;
  std::map<std::string, int> count_;
  bool written_ = true;
};

void add_slots(Seeds& seeds, Rng& rng) {
  for (int round = 0; round < 8; ++round) {
    SlotSet slots = made_slots(rng);
    if (!slots.empty()) seeds.add("slot_ranges", format_slot_ranges(slots));
    for (int encoding = 0; encoding <= static_cast<int>(MySlotsEncoding::Raw); ++encoding) {
      MySlots set = MySlots::encode_as(slots, static_cast<MySlotsEncoding>(encoding));
      seeds.add("myslots", static_cast<uint8_t>(set.encoding()), set.bytes());
    }
  }
}

std::vector<Message> made_messages(Rng& rng) {
  Greeting greeting{made_cluster(1), made_record(1, rng), true, 7, {8}, {9}, "10.0.0.7"};
  HeartbeatMessage heartbeat{1, 2, {3}, 4, {5}, {}};
  heartbeat.rumours.push_back(Removal{made_id(1), {6}});
  heartbeat.rumours.push_back(MemberNews{made_record_ptr(2, rng), true});
  CompareMessage buckets;
  buckets.buckets.resize(kDigestBuckets, 11);
  CompareMessage items;
  items.of_buckets = {0, 63};
  items.items = {{1, 2}, {3, 4}};
  items.wanted = {5};
  BallotMessage ballots;
  ballots.ballots.push_back({made_id(4), {2}, 3, MySlots::encode(made_slots(rng))});
  return {HelloMessage{greeting, false, made_id(3)},
          WelcomeMessage{greeting},
          RefuseMessage{RefuseReason::Removed, {2}},
          heartbeat,
          buckets,
          items,
          ProbeMessage{ProbeMessage::Kind::Request, made_id(2)},
          ballots};
}

void add_wire(Seeds& seeds, Rng& rng) {
  for (const Message& message : made_messages(rng)) {
    Bytes frame = encode_frame(message);
    seeds.add("bus", static_cast<uint8_t>(kind_of(message)),
              ByteView(frame).subspan(kFrameHeaderBytes));
    seeds.add("bus", 0, frame);
  }
  for (int round = 0; round < 4; ++round) {
    Bytes file = encode_state(made_state(rng));
    seeds.add("state_file", 0, file);
    seeds.add("state_file", 1, ByteView(file).subspan(22));  // the header's bytes
  }
}

void add_client_port(Seeds& seeds) {
  seeds.add("request", "\x05*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nhello\r\n*1\r\n$4\r\nPING\r\n");
  seeds.add("request", "\x85SET k \"a\\x41\\n b\" 'it\\'s'\r\nPING\r\n");
  seeds.add("reply", "*3\r\n:1\r\n$2\r\nab\r\n*-1\r\n");
  seeds.add("reply", "%1\r\n+a\r\n~2\r\n#t\r\n,1.5\r\n");
  seeds.add("reply", "=7\r\ntxt:abc\r\n");
  seeds.add("dump_payload", 1, as_bytes(std::string_view("\0\5hello", 7)));
  seeds.add("dump_payload", 1, as_bytes(std::string_view("\0\xc3\6\x0c\1aa\xe0\1\0", 10)));
  seeds.add("dump_payload", 1, as_bytes(std::string_view("\0\xc1\1\2", 4)));
  seeds.add("dump_payload", 0, as_bytes(make_dump_payload("-12345")));
}

void add_texts(Seeds& seeds) {
  std::string id = made_id(1).hex();
  seeds.add("nodes_text",
            id + " 127.0.0.1:7000@17000,host myself,master - 0 1 2 connected 0-5460 7000 [1->-" +
                made_id(2).hex() + "] [2-<-" + made_id(3).hex() + "]\n");
  seeds.add("nodes_text", made_id(2).hex() + " ::1:7001@17001 slave,fail? " + id +
                              " 0 1 2 disconnected\n" + made_id(3).hex() +
                              " :0 master,noaddr,fail - 0 0 0 disconnected\n");
  seeds.add("config",
            "port 7000\nbind 127.0.0.1 ::1\nmaxmemory 512mb\nappendonly no\n"
            "cluster-node-timeout 15000\nmyslots-encoding gaps\nloglevel debug");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds DIRECTORY\n");
    return 2;
  }
  Rng rng(1);
  Seeds seeds(argv[1]);
  add_slots(seeds, rng);
  add_wire(seeds, rng);
  add_client_port(seeds);
  add_texts(seeds);
  return seeds.written() ? 0 : 1;
}
