// SPDX-License-Identifier: MIT
#include "hqe/statistics/rank_correlations.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "hqe/base/random.h"

namespace hqe {
namespace {

TEST_CASE("a score that orders teams as accuracy does correlates fully") {
  const std::vector<std::uint64_t> correct{1, 2, 3, 4};
  const auto same = rank_correlations(std::vector{0.1, 0.2, 0.3, 0.9}, correct);
  CHECK(same.spearman == 1.0);
  CHECK(same.kendall == 1.0);
  const auto opposite = rank_correlations(std::vector{0.9, 0.3, 0.2, 0.1}, correct);
  CHECK(opposite.spearman == -1.0);
  CHECK(opposite.kendall == -1.0);
}

TEST_CASE("ties are shared as textbooks do") {
  // Ranks 1 2.5 2.5 4 against 1 2 3 4; five of six pairs untied on the left.
  const auto tied =
      rank_correlations(std::vector{0.1, 0.2, 0.2, 0.3}, std::vector<std::uint64_t>{1, 2, 3, 4});
  CHECK(*tied.spearman == doctest::Approx(0.9486832980505138));
  CHECK(*tied.kendall == doctest::Approx(5 / std::sqrt(30.0)));
}

TEST_CASE("nothing correlates with a constant or alone") {
  const std::vector<std::uint64_t> equal{3, 3};
  CHECK_FALSE(rank_correlations(std::vector{0.1, 0.2}, equal).spearman.has_value());
  CHECK_FALSE(rank_correlations(std::vector{0.1, 0.2}, equal).kendall.has_value());
  const std::vector<std::uint64_t> one{3};
  CHECK_FALSE(rank_correlations(std::vector{0.1}, one).spearman.has_value());
}

struct DrawnTeams {
  std::vector<double> scores;
  std::vector<std::uint64_t> correct;
};

/// With many ties in both columns.
DrawnTeams draw_teams(Random& random, std::uint64_t count) {
  DrawnTeams teams;
  for (std::uint64_t i = 0; i < count; ++i) {
    teams.scores.push_back(static_cast<double>(random.below(12)) / 12);
    teams.correct.push_back(random.below(9));
  }
  return teams;
}

TEST_CASE("Kendall's correlation equals counting all pairs") {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const auto [scores, correct] = draw_teams(random, 2 + random.below(40));
    const std::size_t count = scores.size();
    double difference = 0, untied_scores = 0, untied_counts = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const int x = (scores[i] > scores[j]) - (scores[i] < scores[j]);
        const int y = (correct[i] > correct[j]) - (correct[i] < correct[j]);
        difference += x * y;
        untied_scores += x * x;
        untied_counts += y * y;
      }
    }
    const auto kendall = rank_correlations(scores, correct).kendall;
    REQUIRE(kendall.has_value() == (untied_scores > 0 && untied_counts > 0));
    if (kendall) {
      CHECK(*kendall == doctest::Approx(difference / std::sqrt(untied_scores * untied_counts)));
    }
  }
}

/// Mean ranks, counted plainly.
template <class Value>
std::vector<double> mean_ranks(const std::vector<Value>& values) {
  std::vector<double> ranks;
  for (const Value& one : values) {
    double below = 0, equal = 0;
    for (const Value& other : values) {
      below += other < one ? 1 : 0;
      equal += other == one ? 1 : 0;
    }
    ranks.push_back(below + (equal + 1) / 2);
  }
  return ranks;
}

TEST_CASE("Spearman's correlation equals Pearson's of the mean ranks") {
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const auto [scores, correct] = draw_teams(random, 3 + random.below(40));
    const std::size_t count = scores.size();
    const auto x = mean_ranks(scores);
    const auto y = mean_ranks(correct);
    const double mean = (static_cast<double>(count) + 1) / 2;
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < count; ++i) {
      xy += (x[i] - mean) * (y[i] - mean);
      xx += (x[i] - mean) * (x[i] - mean);
      yy += (y[i] - mean) * (y[i] - mean);
    }
    const auto spearman = rank_correlations(scores, correct).spearman;
    REQUIRE(spearman.has_value() == (xx > 0 && yy > 0));
    if (spearman) CHECK(*spearman == doctest::Approx(xy / std::sqrt(xx * yy)).epsilon(1e-12));
  }
}

}  // namespace
}  // namespace hqe
