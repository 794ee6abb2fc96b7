// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/ensemble/team.h"
#include "hqe/ensemble/team_table.h"

namespace hqe {
namespace {

TEST_CASE("a team sorts its members and prints them with commas") {
  CHECK(to_string(Team{5, 0, 2}) == "0,2,5");
  CHECK(Team::all(3) == Team{0, 1, 2});
}

TEST_CASE("a member named twice is refused") { CHECK_THROWS_AS((Team{1, 1}), UsageError); }

TEST_CASE("teams compare numerically, member by member") {
  CHECK(Team{0, 2} < Team{0, 10});
  CHECK(Team{0, 10} < Team{1, 2});
}

TEST_CASE("contains asks for every member") {
  const Team team{0, 2, 5};
  CHECK(team.contains(Team{0, 5}.view()));
  CHECK_FALSE(team.contains(Team{0, 1}.view()));
  CHECK(team.contains(ModelId{2}));
}

TEST_CASE("the teams of a size come in team order, each once") {
  const TeamList teams = EnsSet(4, 2).list();
  REQUIRE(teams.size() == 6);
  std::string text;
  for (std::size_t i = 0; i < teams.size(); ++i) text += to_string(teams[i]) + " ";
  CHECK(text == "0,1 0,2 0,3 1,2 1,3 2,3 ");
  CHECK(EnsSet(5, 5).list().size() == 1);
}

TEST_CASE("a table of places in a shared list is a table of their teams") {
  const auto list = std::make_shared<const TeamList>(EnsSet(4, 2).list());
  TeamTable places(list, {5, 0, 3});
  TeamTable own;
  for (const std::size_t place : {5, 0, 3}) own.push_back((*list)[place]);
  CHECK(places.size() == 3);
  CHECK(to_string(places[0]) == "2,3");
  CHECK(places == own);
  CHECK(own == places);
  CHECK(places == TeamTable(list, {5, 0, 3}));
  CHECK_FALSE(places == TeamTable(list, {5, 0, 2}));
  CHECK_FALSE(own == TeamTable(list, {5, 0, 2}));
  CHECK(places.members() == std::vector<ModelId>{2, 3, 0, 1, 1, 2});
  CHECK(places.begins() == std::vector<std::size_t>{0, 2, 4, 6});
  places.push_back(Team{0, 1, 2}.view());
  CHECK(to_string(places[3]) == "0,1,2");
  CHECK(to_string(places[0]) == "2,3");
  CHECK(list->size() == 6);
}

TEST_CASE("binomials are exact up to 64 bits and absent above") {
  CHECK(binomial(67, 5) == 9657648u);
  CHECK(binomial(3, 4) == 0u);
  CHECK(binomial(62, 31) == 465428353255261088u);
  CHECK_FALSE(binomial(1024, 512).has_value());
}

TEST_CASE("costs are spelled as in pool.toml") {
  CHECK(parse_cost("latency_ms") == Cost::latency_ms);
  CHECK_FALSE(parse_cost("speed").has_value());
}

}  // namespace
}  // namespace hqe
