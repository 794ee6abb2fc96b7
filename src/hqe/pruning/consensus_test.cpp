// SPDX-License-Identifier: MIT
#include "hqe/pruning/consensus.h"

#include <doctest/doctest.h>

namespace hqe {
namespace {

Opinion opinion(const std::vector<std::pair<Team, double>>& teams) {
  Opinion result{.teams = TeamList(2)};
  for (const auto& [team, score] : teams) {
    result.teams.push_back(team.view());
    result.scores.push_back(score);
  }
  return result;
}

TEST_CASE("more than half of the metrics make a consensus: three of four, not two") {
  const std::vector opinions{opinion({{Team{0, 1}, 1.0}, {Team{0, 2}, 1.0}}),
                             opinion({{Team{0, 2}, 1.0}, {Team{0, 1}, 1.0}}),
                             opinion({{Team{0, 2}, 0.7}}), opinion({{Team{1, 2}, 1.0}})};
  const auto agreed = consensus(opinions);
  REQUIRE(agreed.size() == 1);
  CHECK(agreed[0].team == Team{0, 2});
  CHECK(agreed[0].votes == 3);
  CHECK(agreed[0].score == doctest::Approx(0.9));
}

TEST_CASE("a consensus is ordered by votes, then mean score, then team order") {
  const std::vector opinions{
      opinion({{Team{0, 3}, 0.5}, {Team{0, 2}, 0.5}, {Team{0, 1}, 0.2}, {Team{1, 2}, 0.1}}),
      opinion({{Team{0, 3}, 0.5}, {Team{0, 2}, 0.5}, {Team{0, 1}, 0.2}, {Team{1, 2}, 0.1}}),
      opinion({{Team{1, 2}, 0.1}})};
  const auto agreed = consensus(opinions);
  REQUIRE(agreed.size() == 4);
  CHECK(agreed[0].team == Team{1, 2});
  CHECK(agreed[1].team == Team{0, 2});
  CHECK(agreed[2].team == Team{0, 3});
  CHECK(agreed[3].team == Team{0, 1});
}

TEST_CASE("no opinions, no consensus") { CHECK(consensus({}).empty()); }

}  // namespace
}  // namespace hqe
