#include "cli/agreement.h"

#include <catch2/catch.hpp>

using namespace slotd;

namespace {

const std::string kIdA(40, 'a');
const std::string kIdB(40, 'b');
const std::string kIdC(40, 'c');

NodePicture picture(uint16_t port, SlotSet of_a, SlotSet of_b) {
  return {{"127.0.0.1", port}, kIdA, {kIdA, kIdB}, {{kIdA, of_a}, {kIdB, of_b}}, "ok", ""};
}

SlotSet range(Slot first, Slot last) {
  return SlotSet::of({first, last});
}

}  // namespace

TEST_CASE("nodes that say the same do not differ", "[cli]") {
  NodePicture one = picture(7000, range(0, 9), range(10, 19));
  NodePicture other = picture(7001, range(0, 9), range(10, 19));
  CHECK(difference(one, other).empty());
}

TEST_CASE("a difference in slots names the node, the slots and both owners", "[cli]") {
  NodePicture one = picture(7000, range(0, 9), range(10, 19));
  NodePicture other = picture(7001, range(0, 7), range(8, 19));
  CHECK(difference(one, other) ==
        "127.0.0.1:7001 gives slots 8-9 to others: slot 8 to bbbbbbbb, 127.0.0.1:7000 to aaaaaaaa");
}

TEST_CASE("a slot that one node gives to nobody is a difference", "[cli]") {
  NodePicture one = picture(7000, range(0, 9), range(10, 19));
  NodePicture other = picture(7001, range(0, 9), range(10, 18));
  CHECK(difference(one, other).find("slot 19 to nobody") != std::string::npos);
}

TEST_CASE("as many members, but others, are named", "[cli]") {
  NodePicture one = picture(7000, range(0, 9), range(10, 19));
  NodePicture other = one;
  other.endpoint.port = 7001;
  other.members = {kIdA, kIdC};
  std::string text = difference(one, other);
  INFO(text);
  CHECK(text.find("bbbbbbbb only at 127.0.0.1:7000") != std::string::npos);
  CHECK(text.find("cccccccc only at 127.0.0.1:7001") != std::string::npos);
}
