// SPDX-License-Identifier: MIT
#include "hqe/pruning/eligibility.h"

#include <doctest/doctest.h>

#include <string>

namespace hqe {
namespace {

TEST_CASE("the eligible teams have the required members, none excluded, and fit the budget") {
  Eligibility eligibility{.required = {2}, .excluded = {0}};
  std::string text;
  const auto collect = [&](TeamView team) { text += to_string(team) + " "; };
  for_each_eligible_team(5, 3, eligibility, collect);
  CHECK(text == "1,2,3 1,2,4 2,3,4 ");
  CHECK(eligible_team_count(5, 3, eligibility) == 3u);
  CHECK(eligible_team_count(5, 1, eligibility) == 1u);

  eligibility.within_budget = [](TeamView team) { return team.back() < 4; };
  CHECK(eligible_team_count(5, 3, eligibility) == 1u);
  CHECK(eligibility.allows(Team{1, 2, 3}.view()));
  CHECK_FALSE(eligibility.allows(Team{1, 2, 4}.view()));
  CHECK_FALSE(eligibility.allows(Team{0, 2, 3}.view()));
  CHECK_FALSE(eligibility.allows(Team{1, 3}.view()));
}

TEST_CASE("counts above 2^53, or too many to hold against a budget, are absent") {
  CHECK(eligible_team_count(1024, 5, {}) == 9291185992704u);
  CHECK_FALSE(eligible_team_count(1024, 8, {}).has_value());
  const Eligibility thrifty{.within_budget = [](TeamView) { return true; }};
  CHECK(eligible_team_count(20, 5, thrifty) == 15504u);
  CHECK_FALSE(eligible_team_count(100, 5, thrifty).has_value());
}

}  // namespace
}  // namespace hqe
