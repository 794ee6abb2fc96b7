// SPDX-License-Identifier: MIT
#include "hqe/pruning/top_teams.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/pruning/cut_lowest.h"

namespace hqe {
namespace {

/// A candidate is its own team, of the digits of its number.
Team team_of_number(std::size_t number) {
  const auto digit = [&](std::size_t place) { return static_cast<ModelId>(number / place % 1000); };
  return Team{digit(1000), static_cast<ModelId>(1000 + digit(1))};
}

/// What is found of scores that workers show piece by piece, the pieces in a drawn order.
TopTeams::Found found_of(const std::vector<double>& scores, std::uint64_t limit, int workers,
                         Random& random) {
  constexpr std::size_t piece = 100;
  std::vector<std::size_t> begins;
  for (std::size_t begin = 0; begin < scores.size(); begin += piece) begins.push_back(begin);
  for (std::size_t i = begins.size(); i > 1; --i) {
    std::swap(begins[i - 1], begins[random.below(i)]);
  }
  TopTeams top(2, limit, workers);
  for (const std::size_t begin : begins) {
    TeamList some(2);
    const std::size_t end = std::min(begin + piece, scores.size());
    for (std::size_t i = begin; i < end; ++i) some.push_back(team_of_number(i).view());
    top.show(some, std::span(scores).subspan(begin, end - begin), begin,
             static_cast<int>(random.below(static_cast<std::uint64_t>(workers))));
  }
  return top.take();
}

void check_top(const std::vector<double>& scores, std::uint64_t limit, int workers,
               Random& random) {
  const auto kept =
      all_but_lowest(scores, scores.size() - std::min<std::uint64_t>(limit, scores.size()), {});
  TeamList teams(2);
  std::vector<double> kept_scores;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!kept[i]) continue;
    teams.push_back(team_of_number(i).view());
    kept_scores.push_back(scores[i]);
  }
  const TopTeams::Found found = found_of(scores, limit, workers, random);
  CHECK(found.teams == teams);
  CHECK(found.scores == kept_scores);
}

TEST_CASE("the highest of scores that nobody holds are what cutting all of them keeps") {
  Random random(8);
  for (const std::size_t count : {1U, 90U, 9'000U, 40'000U}) {
    // Few values, values that only rounding makes equal, many, and all alike.
    for (const double step : {0.25, 3e-13, 1e-7, 0.0}) {
      std::vector<double> scores(count);
      for (double& score : scores) {
        score = -0.3 + step * static_cast<double>(random.below(step < 1e-9 ? 40 : 1'000'000));
      }
      for (const std::uint64_t limit : {1U, 70U, 2'500U, 50'000U}) {
        for (const int workers : {1, 3}) {
          CAPTURE(count);
          CAPTURE(step);
          CAPTURE(limit);
          check_top(scores, limit, workers, random);
        }
      }
    }
  }
}

TEST_CASE("scores that only grow, or only fall, are no exception") {
  Random random(2);
  std::vector<double> scores(30'000);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<double>(i) * 1e-6;
  check_top(scores, 500, 2, random);
  std::ranges::reverse(scores);
  check_top(scores, 500, 2, random);
}

}  // namespace
}  // namespace hqe
