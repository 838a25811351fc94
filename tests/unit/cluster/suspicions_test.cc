#include "common/cluster/suspicions.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/unit/cluster/made_records.h"

using namespace slotd;
using namespace slotd::test;

namespace {

const NodeId kSuspect = made_id(100);

std::shared_ptr<const Electorate> electorate_of(std::vector<uint64_t> numbers) {
  std::vector<NodeId> ids;
  for (uint64_t number : numbers) ids.push_back(made_id(number));
  std::sort(ids.begin(), ids.end());
  return std::make_shared<const Electorate>(std::move(ids));
}

Suspicions opened(std::vector<uint64_t> numbers) {
  Suspicions suspicions;
  suspicions.set_electorate(electorate_of(std::move(numbers)));
  suspicions.open(kSuspect, {1}, Instant{});
  return suspicions;
}

}  // namespace

TEST_CASE("a majority is more than half of the voters") {
  CHECK(electorate_of({0})->majority() == 1);
  CHECK(electorate_of({0, 1})->majority() == 2);
  CHECK(electorate_of({0, 1, 2})->majority() == 2);
  CHECK(electorate_of({0, 1, 2, 3})->majority() == 3);
  CHECK(electorate_of({0, 1})->hash() != electorate_of({0, 2})->hash());
}

TEST_CASE("a suspicion becomes a verdict with the vote that makes the majority") {
  Suspicions suspicions = opened({0, 1, 2, 3, 4});
  CHECK(suspicions.vote(kSuspect, made_id(0)));
  CHECK_FALSE(suspicions.vote(kSuspect, made_id(0)));
  CHECK_FALSE(suspicions.vote(kSuspect, made_id(9)));
  CHECK(suspicions.vote(kSuspect, made_id(1)));
  CHECK_FALSE(suspicions.has_majority(kSuspect));
  CHECK(suspicions.vote(kSuspect, made_id(2)));
  CHECK(suspicions.has_majority(kSuspect));
  CHECK_FALSE(suspicions.vote(made_id(50), made_id(0)));
}

TEST_CASE("a ballot that all but a minority signed leaves no majority for its subject") {
  Suspicions six = opened({0, 1, 2, 3, 4, 5});
  six.vote(kSuspect, made_id(0));
  six.vote(kSuspect, made_id(1));
  CHECK_FALSE(six.leaves_no_majority(six.ballot(kSuspect)));
  six.vote(kSuspect, made_id(2));
  CHECK_FALSE(six.has_majority(kSuspect));
  CHECK(six.leaves_no_majority(six.ballot(kSuspect)));
  Suspicions five = opened({0, 1, 2, 3, 4});
  CHECK_FALSE(five.leaves_no_majority(six.ballot(kSuspect)));
  Suspicions none = opened({});
  CHECK_FALSE(none.leaves_no_majority(none.ballot(kSuspect)));
}

TEST_CASE("nobody is failed by an empty electorate") {
  Suspicions suspicions = opened({});
  CHECK_FALSE(suspicions.vote(kSuspect, made_id(0)));
  CHECK_FALSE(suspicions.has_majority(kSuspect));
}

TEST_CASE("ballots merge to the union in any order") {
  Rng rng(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<uint64_t> voters(9);
    for (uint64_t i = 0; i < voters.size(); ++i) voters[i] = i;
    std::vector<Ballot> ballots;
    Suspicions all = opened(voters);
    for (int peer = 0; peer < 5; ++peer) {
      Suspicions one = opened(voters);
      for (uint64_t i = rng.below(4); i > 0; --i) {
        NodeId voter = made_id(rng.below(voters.size()));
        one.vote(kSuspect, voter);
        all.vote(kSuspect, voter);
      }
      ballots.push_back(one.ballot(kSuspect));
    }
    std::vector<Ballot> heard = ballots;
    heard.insert(heard.end(), ballots.begin(), ballots.end());
    shuffle(heard, rng);
    Suspicions merged = opened(voters);
    for (const Ballot& ballot : heard) merged.merge_votes(ballot);
    REQUIRE(merged.find(kSuspect)->votes == all.find(kSuspect)->votes);
    REQUIRE(merged.find(kSuspect)->vote_count == all.find(kSuspect)->vote_count);
    REQUIRE_FALSE(merged.merge_votes(ballots.front()));
  }
}

TEST_CASE("a ballot of another electorate, version or subject changes nothing") {
  Suspicions suspicions = opened({0, 1, 2});
  Suspicions other = opened({0, 1, 3});
  other.vote(kSuspect, made_id(0));
  CHECK_FALSE(suspicions.merge_votes(other.ballot(kSuspect)));
  Suspicions peer = opened({0, 1, 2});
  peer.vote(kSuspect, made_id(0));
  Ballot ballot = peer.ballot(kSuspect);
  ballot.version = {2};
  CHECK_FALSE(suspicions.merge_votes(ballot));
  ballot.version = {1};
  ballot.subject = made_id(50);
  CHECK_FALSE(suspicions.merge_votes(ballot));
  CHECK(suspicions.find(kSuspect)->vote_count == 0);
}

TEST_CASE("voters beyond the electorate are not counted") {
  Suspicions suspicions = opened({0, 1, 2});
  Ballot ballot = suspicions.ballot(kSuspect);
  ballot.voters = MySlots::encode(SlotSet::full());
  CHECK(suspicions.merge_votes(ballot));
  CHECK(suspicions.find(kSuspect)->vote_count == 3);
}

TEST_CASE("a new electorate keeps the votes of those who are in it too") {
  Suspicions suspicions = opened({0, 1, 2});
  suspicions.vote(kSuspect, made_id(0));
  suspicions.vote(kSuspect, made_id(1));
  CHECK(suspicions.has_majority(kSuspect));
  suspicions.set_electorate(electorate_of({1, 2, 3, 4, 5}));
  CHECK(suspicions.find(kSuspect)->vote_count == 1);
  CHECK_FALSE(suspicions.has_majority(kSuspect));
  CHECK_FALSE(suspicions.vote(kSuspect, made_id(1)));
  CHECK(suspicions.vote(kSuspect, made_id(5)));
}

TEST_CASE("a newer version of the suspect voids the votes") {
  Suspicions suspicions = opened({0, 1, 2});
  suspicions.vote(kSuspect, made_id(0));
  CHECK_FALSE(suspicions.open(kSuspect, {1}, Instant{}));
  CHECK(suspicions.find(kSuspect)->vote_count == 1);
  CHECK(suspicions.open(kSuspect, {2}, Instant{}));
  CHECK(suspicions.find(kSuspect)->vote_count == 0);
  CHECK_FALSE(suspicions.open(kSuspect, {1}, Instant{}));
  suspicions.close(kSuspect);
  CHECK(suspicions.find(kSuspect) == nullptr);
}
