// SPDX-License-Identifier: MIT
#include "hqe/agreement/plurality.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "hqe/agreement/partitions.h"
#include "hqe/base/random.h"
#include "hqe/bits/target.h"
#include "hqe/ensemble/ens_set.h"

namespace hqe {
namespace {

/// A table of drawn votes with all that is counted from it.
struct Drawn {
  int models = 6;
  int rivals = 3;
  std::size_t patterns = 50;
  std::uint32_t most_samples = 1;
  std::uint64_t most_correct = 1000;  ///< Few different counts tie often.
  std::uint64_t seed = 1;

  VoteTable table;
  std::vector<std::uint32_t> weights;
  std::vector<std::uint64_t> correct;

  void draw() {
    Random random(seed);
    table = {.stride = patterns, .complete = true};
    table.votes.resize(patterns * static_cast<std::size_t>(models));
    for (std::int16_t& vote : table.votes) {
      const auto drawn =
          static_cast<std::int16_t>(random.below(static_cast<std::uint64_t>(rivals) + 2));
      // A rival's number tells whether its class is above the true one; half of the rivals are.
      vote = drawn < 2
                 ? VoteTable::voting_right
                 : static_cast<std::int16_t>(VoteTable::first_rival + 2 * (drawn - 2) + drawn % 2);
    }
    for (std::size_t i = 0; i < patterns; ++i) {
      weights.push_back(static_cast<std::uint32_t>(1 + random.below(most_samples)));
    }
    for (int m = 0; m < models; ++m) correct.push_back(random.below(most_correct));
  }

  [[nodiscard]] PluralityVotes votes() const {
    return {.model_count = models,
            .table = table,
            .weights = weights,
            .correct = correct,
            .one_rival = rivals == 1};
  }
};

/// The vote as it is defined.
bool is_right(const Drawn& drawn, TeamView team, std::size_t pattern) {
  const auto tally = [&](std::int16_t wanted) {
    std::pair<int, std::uint64_t> sum{0, 0};  // Votes, and their voters' correct counts.
    for (const ModelId model : team) {
      if (drawn.table.of(model)[pattern] != wanted) continue;
      ++sum.first;
      sum.second += drawn.correct[model];
    }
    return sum;
  };
  const auto own = tally(VoteTable::voting_right);
  if (own.first == 0) return false;
  for (const ModelId model : team) {
    const std::int16_t vote = drawn.table.of(model)[pattern];
    if (vote == VoteTable::voting_right) continue;
    const auto other = tally(vote);
    if (other > own || (other == own && vote % 2 == 0)) return false;
  }
  return true;
}

void check(Drawn drawn, int size, int threads = 1) {
  drawn.draw();
  const TeamList teams = EnsSet(drawn.models, size).list();
  std::vector<std::uint64_t> right(teams.size(), 7);
  REQUIRE(plurality_cost(drawn.votes(), size) < 1e9);
  add_plurality_counts(drawn.votes(), teams, {.threads = threads}, right);
  for (std::size_t i = 0; i < teams.size(); ++i) {
    std::uint64_t expected = 7;
    for (std::size_t pattern = 0; pattern < drawn.patterns; ++pattern) {
      if (is_right(drawn, teams[i], pattern)) expected += drawn.weights[pattern];
    }
    CAPTURE(to_string(teams[i]));
    REQUIRE(right[i] == expected);
  }
}

TEST_CASE("teams of every size that agreement counts are right as often as a literal vote says") {
  for (const int rivals : {1, 2, 3, 5}) {
    for (int size = 2; size <= (rivals == 1 ? 8 : 6); ++size) {
      for (const std::uint64_t most_correct : {1, 2, 4, 1000}) {
        CAPTURE(rivals);
        CAPTURE(size);
        CAPTURE(most_correct);
        check({.models = 9, .rivals = rivals, .patterns = 60, .most_correct = most_correct}, size);
      }
    }
  }
}

TEST_CASE("patterns of many samples count for all of them, over several blocks") {
  check({.models = 7, .rivals = 3, .patterns = 5000, .most_samples = 9, .most_correct = 50}, 4);
  check({.models = 7, .rivals = 1, .patterns = 5000, .most_samples = 100, .most_correct = 50}, 4);
  check({.models = 7, .rivals = 4, .patterns = 2048, .most_correct = 50, .seed = 2}, 5, 3);
}

TEST_CASE("every target counts alike") {
  const std::string before = active_target();
  for (const std::string& target : available_targets()) {
    CAPTURE(target);
    force_target(target);
    check({.models = 8, .rivals = 4, .patterns = 300, .most_samples = 3, .most_correct = 3}, 5);
    check({.models = 8, .rivals = 1, .patterns = 300, .most_samples = 3, .most_correct = 3}, 4);
  }
  force_target(before);
}

TEST_CASE("one model, large teams and large tables are not for agreement") {
  Drawn drawn{.models = 12, .rivals = 3};
  drawn.draw();
  CHECK(plurality_cost(drawn.votes(), 1) > 1e300);
  CHECK(plurality_cost(drawn.votes(), 7) > 1e300);
  CHECK(plurality_cost(drawn.votes(), 6) < 1e9);
  drawn.rivals = 1;
  CHECK(plurality_cost(drawn.votes(), 8) < 1e9);
  CHECK(plurality_cost(drawn.votes(), 9) > 1e300);
}

TEST_CASE("of all partitions those are followed that the last member can decide") {
  CHECK(Partitions::count(4, false) == 52);
  CHECK(Partitions::count(4, true) == 16);
  // Of two members of a team of three: both right is sure, both wrong and alike is hopeless; that
  // leaves one right (twice) and both wrong apart.
  CHECK(Partitions(2, false).of(2).size() == 3);
  CHECK(Partitions(2, false).slots(2).sure == 4);
  CHECK(Partitions(2, true).of(2).size() == 2);
  for (int members = 0; members <= 5; ++members) {
    for (const bool one_rival : {false, true}) {
      const Partitions partitions(members, one_rival);
      CHECK(partitions.of(members).size() == partitions.slots(members).open);
      CHECK(partitions.slots(members).sure <= Partitions::count(members, one_rival));
    }
  }
}

}  // namespace
}  // namespace hqe
