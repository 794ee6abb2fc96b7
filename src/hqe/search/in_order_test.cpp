// SPDX-License-Identifier: MIT
#include "hqe/search/in_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/ensemble/team_columns.h"

namespace hqe {
namespace {

/// `count` different teams of `size` models, in team order.
TeamList drawn_teams(std::size_t count, int size, int models, Random& random) {
  std::set<std::vector<ModelId>> teams;
  while (teams.size() < count) {
    std::set<ModelId> team;
    while (std::cmp_less(team.size(), size)) {
      team.insert(static_cast<ModelId>(random.below(static_cast<std::uint64_t>(models))));
    }
    teams.emplace(team.begin(), team.end());
  }
  TeamList list(size);
  for (const auto& team : teams) list.push_back(team);
  return list;
}

/// Every other team of a list, with scores and perhaps votes that are often equal, some only once
/// they are rounded.
ListedTeams drawn_list(const TeamList& list, const TeamValues& values, bool with_votes, double step,
                       Random& random) {
  ListedTeams teams{
      .list = std::make_shared<const TeamList>(list), .values = &values, .kept = {}, .votes = {}};
  for (std::uint32_t place = 0; place < list.size(); place += 2) {
    teams.kept.places.push_back(place);
    teams.kept.scores.push_back(0.25 + step * static_cast<double>(random.below(300)));
    if (with_votes) teams.votes.push_back(static_cast<int>(random.below(16)));
  }
  return teams;
}

/// The same by one sort.
SelectedTeams sorted_plainly(const ListedTeams& teams) {
  std::vector<std::size_t> order(teams.kept.places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
    const auto votes = [&](std::size_t i) { return teams.votes.empty() ? 0 : teams.votes[i]; };
    if (votes(left) != votes(right)) return votes(left) > votes(right);
    return rounded_score(teams.kept.scores[left]) > rounded_score(teams.kept.scores[right]);
  });
  SelectedTeams selected;
  for (const std::size_t i : order) {
    const std::uint32_t place = teams.kept.places[i];
    selected.teams.push_back((*teams.list)[place]);
    selected.scores.push_back(teams.kept.scores[i]);
    if (!teams.votes.empty()) selected.votes.push_back(teams.votes[i]);
    selected.correct.push_back((*teams.values->correct)[place]);
  }
  return selected;
}

TEST_CASE("lists are put in order by votes, rounded score and team, on any number of threads") {
  Random random(3);
  for (const std::size_t count : {1U, 2U, 500U, 9'000U}) {
    const TeamList list = drawn_teams(count, 5, 40, random);
    std::vector<std::uint32_t> counts(count);
    for (std::uint32_t& each : counts) each = static_cast<std::uint32_t>(random.below(100));
    const TeamValues values{.correct = std::make_shared<const std::vector<std::uint32_t>>(counts)};
    for (const bool with_votes : {false, true}) {
      for (const double step : {0.002, 1e-13, 0.0}) {
        const ListedTeams teams = drawn_list(list, values, with_votes, step, random);
        const SelectedTeams expected = sorted_plainly(teams);
        for (const int threads : {1, 3}) {
          const SelectedTeams found = in_order({teams}, {.threads = threads});
          REQUIRE(found.size() == expected.size());
          CHECK(found.scores == expected.scores);
          CHECK(found.votes == expected.votes);
          CHECK(found.correct == expected.correct);
          for (std::size_t i = 0; i < found.size(); ++i) {
            CHECK(std::ranges::equal(found.teams[i], expected.teams[i]));
          }
        }
      }
    }
  }
}

TEST_CASE("what two lists hold together, and one without the other") {
  Random random(4);
  for (const int size : {2, 4, 6}) {
    for (const std::size_t count : {0U, 3U, 60U}) {
      const TeamList left = drawn_teams(60, size, 13, random);
      const TeamList right = drawn_teams(count, size, 13, random);
      std::set<std::vector<ModelId>> all, rest;
      const auto is_right = [&](TeamView team) { return place_of(team, right) < right.size(); };
      for (std::size_t i = 0; i < left.size(); ++i) {
        all.emplace(left[i].begin(), left[i].end());
        if (!is_right(left[i])) rest.emplace(left[i].begin(), left[i].end());
      }
      for (std::size_t i = 0; i < right.size(); ++i) all.emplace(right[i].begin(), right[i].end());
      TeamList both(size), left_alone(size);
      for (const auto& team : all) both.push_back(team);
      for (const auto& team : rest) left_alone.push_back(team);
      CHECK(union_of(left, right) == both);
      CHECK(union_of(right, left) == both);
      CHECK(difference_of(left, right) == left_alone);
      CHECK(union_of(left, left) == left);
    }
  }
}

}  // namespace
}  // namespace hqe
