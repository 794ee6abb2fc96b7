// SPDX-License-Identifier: MIT
#include "hqe/evaluation/errors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "hqe/evaluation/robustness.h"
#include "hqe/evaluation/vote.h"
#include "tests/support/arrays.h"
#include "tests/support/lent_arrays.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::strange_pool;

TEST_CASE("models that fail together correlate by 1, and on each other's failures by -1") {
  // Failures of 4 samples: 1100, 1100, 0011, and never.
  const std::vector<std::uint64_t> co_failures{2, 2, 0, 0,  //
                                               2, 2, 0, 0,  //
                                               0, 0, 2, 0,  //
                                               0, 0, 0, 0};
  CHECK(error_correlation(Team{0, 1}, 4, co_failures, 4) == doctest::Approx(1));
  CHECK(error_correlation(Team{0, 2}, 4, co_failures, 4) == doctest::Approx(-1));
  CHECK(error_correlation(Team{0, 1, 2}, 4, co_failures, 4) == doctest::Approx(-1.0 / 3));
}

TEST_CASE("a pair with a constant member is skipped, and nothing remains of it alone") {
  const std::vector<std::uint64_t> co_failures{2, 1, 2, 0,  //
                                               1, 2, 2, 0,  //
                                               2, 2, 4, 0,  //
                                               0, 0, 0, 0};
  CHECK_FALSE(error_correlation(Team{0, 3}, 4, co_failures, 4).has_value());
  CHECK_FALSE(error_correlation(Team{0, 2}, 4, co_failures, 4).has_value());
  CHECK_FALSE(error_correlation(Team{0}, 4, co_failures, 4).has_value());
  CHECK(error_correlation(Team{0, 1, 2, 3}, 4, co_failures, 4) ==
        error_correlation(Team{0, 1}, 4, co_failures, 4));
}

TEST_CASE("independent errors shrink with the team's size, common ones stay") {
  CHECK(added_error_ratio(5, 0) == doctest::Approx(0.2));
  CHECK(added_error_ratio(5, 1) == doctest::Approx(1));
  CHECK(added_error_ratio(1, 0.3) == doctest::Approx(1));
}

TEST_CASE("posterior errors of equal models correlate by 1, of opposite ones by -1") {
  PoolParts parts{.kind = Kind::probabilities};
  const std::vector<double> rows{0.9, 0.1, 0.3, 0.7, 0.6, 0.4};
  const std::vector<double> opposite{0.1, 0.9, 0.7, 0.3, 0.4, 0.6};
  const std::vector<double> level{0.7, 0.3, 0.7, 0.3, 0.7, 0.3};
  parts.models.push_back(testing::model("a", testing::matrix(3, 2, rows)));
  parts.models.push_back(testing::model("b", testing::matrix(3, 2, rows)));
  parts.models.push_back(testing::model("c", testing::matrix(3, 2, opposite)));
  parts.models.push_back(testing::model("d", testing::matrix(3, 2, level)));
  parts.labels = testing::vector({0, 0, 0});
  const Pool pool = make_pool(std::move(parts));
  CHECK(posterior_error_correlation(pool, Team{0, 1}, {}) == doctest::Approx(1));
  CHECK(posterior_error_correlation(pool, Team{0, 2}, {}) == doctest::Approx(-1));
  CHECK(posterior_error_correlation(pool, Team{0, 1, 2, 3}, {}) == doctest::Approx(-1.0 / 3));
  CHECK_FALSE(posterior_error_correlation(pool, Team{0, 3}, {}).has_value());
}

TEST_CASE("posterior error correlations have the same bits for any number of threads") {
  for (const Kind kind : {Kind::probabilities, Kind::logits}) {
    const Pool pool = strange_pool({.kind = kind, .sample_count = 9000});
    const auto alone = posterior_error_correlation(pool, Team{0, 2, 3}, {.threads = 1});
    REQUIRE(alone.has_value());
    CHECK(std::abs(*alone) < 0.5);
    for (const int threads : {2, 7}) {
      CHECK(posterior_error_correlation(pool, Team{0, 2, 3}, {.threads = threads}) == alone);
    }
  }
}

/// As the definition has it, one member and one pair after the other.
std::optional<double> literal_correlation(const Pool& pool, TeamView team) {
  std::vector<std::vector<double>> errors(team.size());
  std::vector<double> squares(team.size()), scores(static_cast<std::size_t>(pool.class_count));
  std::vector<bool> is_constant(team.size());
  for (std::size_t m = 0; m < team.size(); ++m) {
    for (std::uint64_t i = 0; i < pool.sample_count; ++i) {
      class_scores(pool, team[m], i, scores);
      errors[m].push_back(1 - scores[static_cast<std::size_t>(pool.true_label(i))]);
    }
    is_constant[m] = std::ranges::min(errors[m]) == std::ranges::max(errors[m]);
    const double mean = std::accumulate(errors[m].begin(), errors[m].end(), 0.0) /
                        static_cast<double>(pool.sample_count);
    for (double& error : errors[m]) error -= mean;
    for (const double error : errors[m]) squares[m] += error * error;
  }
  double sum = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < team.size(); ++i) {
    for (std::size_t j = i + 1; j < team.size(); ++j) {
      if (is_constant[i] || is_constant[j]) continue;
      const double product =
          std::inner_product(errors[i].begin(), errors[i].end(), errors[j].begin(), 0.0);
      sum += product / (std::sqrt(squares[i]) * std::sqrt(squares[j]));
      ++pairs;
    }
  }
  return pairs == 0 ? std::nullopt : std::optional(sum / pairs);
}

TEST_CASE("posterior error correlations of any size have the bits of one sum after another") {
  for (const Kind kind : {Kind::probabilities, Kind::logits}) {
    const Pool few = strange_pool({.kind = kind, .sample_count = 130});
    Pool pool = few;
    // Enough members for several sums at once, the first one twice.
    while (pool.models.size() < 19) {
      Model again = few.models[pool.models.size() % few.models.size()];
      again.name += std::to_string(pool.models.size());
      pool.models.push_back(std::move(again));
    }
    for (int size = 1; size <= 19; ++size) {
      const Team team = Team::all(size);
      CAPTURE(size);
      for (const int threads : {1, 3}) {
        CHECK(posterior_error_correlation(pool, team.view(), {.threads = threads}) ==
              literal_correlation(pool, team.view()));
      }
    }
  }
}

TEST_CASE("posterior errors of what the scan kept are those that are read again") {
  std::vector<double> values(2 * 100 * 300, 0.0);
  Random random(4);
  for (std::size_t row = 0; row < 200; ++row) {
    const double share = random.unit();
    values[row * 300 + random.below(3)] += share;
    values[row * 300 + random.below(3)] += 1 - share;
  }
  PoolParts parts{.kind = Kind::probabilities};
  for (const std::ptrdiff_t first : {0, 100 * 300}) {
    const std::vector<double> own(values.begin() + first, values.begin() + first + 100 * 300);
    parts.models.push_back(testing::model(std::to_string(first), testing::matrix(100, 300, own)));
  }
  parts.labels = testing::vector(std::vector<double>(100, 1));
  const Pool plain = make_pool(std::move(parts));
  Pool lent = testing::lent(plain);
  TruthShares kept;
  BlockConsumer* const consumers[] = {&kept};
  scan(lent, consumers, {.threads = 2});
  REQUIRE(kept.has_samples());
  std::vector<double> scores(300);
  for (std::uint64_t sample = 0; sample < plain.sample_count; ++sample) {
    for (const ModelId m : Team{0, 1}) {
      class_scores(plain, m, sample, scores);
      CHECK(kept.of(m, sample) == scores[1]);
    }
  }
  const auto expected = posterior_error_correlation(plain, Team{0, 1}, {});
  CHECK(expected.has_value());
  CHECK(posterior_error_correlation(lent, Team{0, 1}, {}, &kept) == expected);
}

TEST_CASE("what is given the true class is kept of long rows of probabilities in floats alone") {
  const auto has_kept = [](Kind kind, DType dtype, bool is_lent, int classes = 300) {
    PoolParts parts{.kind = kind};
    const std::vector<double> shares(2 * static_cast<std::size_t>(classes), 1.0 / classes);
    parts.models.push_back(testing::model("a", testing::matrix(2, classes, shares, dtype)));
    parts.labels = testing::vector({1, 2});
    Pool pool = make_pool(std::move(parts));
    if (is_lent) pool = testing::lent(pool);
    TruthShares kept;
    BlockConsumer* const consumers[] = {&kept};
    scan(pool, consumers, {});
    return kept.has_samples();
  };
  CHECK(has_kept(Kind::probabilities, DType::float32, true));
  CHECK(has_kept(Kind::probabilities, DType::float32, false));
  CHECK_FALSE(has_kept(Kind::probabilities, DType::float32, false, 255));
  CHECK_FALSE(has_kept(Kind::probabilities, DType::float64, true));
  CHECK_FALSE(has_kept(Kind::logits, DType::float32, true));
}

Pool bounded_pool(Kind kind, std::uint64_t seed) {
  Pool pool = strange_pool({.kind = kind, .sample_count = 80, .seed = seed});
  Random random(seed);
  for (Model& each : pool.models) each.costs.lipschitz = 0.1 + 20 * random.unit();
  return pool;
}

/// What the team certifies against one other class: sum of p(y) - p(rival) over the members,
/// divided by the sum of their Lipschitz bounds.
double certified_bound(const Pool& pool, TeamView team, std::uint64_t sample, std::int32_t rival) {
  std::vector<double> scores(static_cast<std::size_t>(pool.class_count));
  double own = 0, others = 0, bounds = 0;
  for (const ModelId member : team) {
    class_scores(pool, member, sample, scores);
    own += scores[static_cast<std::size_t>(pool.true_label(sample))];
    others += scores[static_cast<std::size_t>(rival)];
    bounds += *pool.models[member].costs.lipschitz;
  }
  return (own - others) / bounds;
}

TEST_CASE("a team certifies no less than its weakest member against any class (Theorem 2)") {
  for (const Kind kind : {Kind::probabilities, Kind::logits}) {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      const Pool pool = bounded_pool(kind, seed);
      const Team team{0, 1, 3, 4};
      for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
        for (std::int32_t rival = 0; rival < pool.class_count; ++rival) {
          double weakest = INFINITY;
          for (const ModelId member : team) {
            weakest = std::min(weakest, certified_bound(pool, Team{member}, sample, rival));
          }
          CHECK(certified_bound(pool, team, sample, rival) >= weakest - 1e-12);
        }
      }
    }
  }
}

TEST_CASE("a radius is the smallest bound over the other classes, where the team is right") {
  const Pool pool = bounded_pool(Kind::probabilities, 9);
  const Team team{0, 2, 4};
  const VoteRule soft{.vote = Vote::soft};
  std::vector<double> expected;
  for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
    if (team_answer(pool, soft, team, sample) != pool.true_label(sample)) continue;
    double smallest = INFINITY;
    for (std::int32_t rival = 0; rival < pool.class_count; ++rival) {
      if (rival == pool.true_label(sample)) continue;
      smallest = std::min(smallest, certified_bound(pool, team, sample, rival));
    }
    expected.push_back(smallest);
  }
  std::ranges::sort(expected);
  for (const int threads : {1, 2, 7}) {
    const auto radii = certified_radii(pool, team, {.threads = threads});
    REQUIRE(radii.has_value());
    CHECK(radii->radii == expected);
  }
}

TEST_CASE("no radius is larger than the distance to which every member's bound holds") {
  Pool pool = bounded_pool(Kind::probabilities, 9);
  const Team team{0, 2, 4};
  const std::vector<double> everywhere = certified_radii(pool, team, {})->radii;
  const double middle = everywhere[everywhere.size() / 2];
  pool.models[0].costs.lipschitz_radius = 1000;
  pool.models[2].costs.lipschitz_radius = middle;
  pool.models[1].costs.lipschitz_radius = 0;  // No member.
  std::vector<double> expected = everywhere;
  for (double& radius : expected) radius = std::min(radius, middle);
  CHECK(expected != everywhere);
  CHECK(certified_radii(pool, team, {})->radii == expected);
}

TEST_CASE("radii are estimates where the bound of one member is") {
  Pool pool = bounded_pool(Kind::probabilities, 9);
  pool.models[2].costs.lipschitz_estimated = true;
  CHECK(certified_radii(pool, Team{0, 2}, {})->estimated);
  CHECK_FALSE(certified_radii(pool, Team{0, 1}, {})->estimated);
}

TEST_CASE("the median is over right samples and shares are of all samples") {
  const CertifiedRadii radii{.radii = {0.0, 0.1, 0.3, 0.4}, .sample_count = 10};
  CHECK(radii.median() == doctest::Approx(0.2));
  CHECK(radii.share(0) == doctest::Approx(0.4));
  CHECK(radii.share(0.3) == doctest::Approx(0.2));
  CHECK(radii.share(0.5) == 0);
  CHECK(CertifiedRadii{.radii = {0.7}, .sample_count = 1}.median() == 0.7);
  CHECK(CertifiedRadii{.radii = {}, .sample_count = 1}.median() == 0);
}

TEST_CASE("without bounds or without scores nothing is certified") {
  Pool pool = bounded_pool(Kind::probabilities, 1);
  pool.models[1].costs.lipschitz.reset();
  CHECK(certified_radii(pool, Team{0, 2}, {}).has_value());
  CHECK_FALSE(certified_radii(pool, Team{0, 1}, {}).has_value());
  CHECK_FALSE(certified_radii(bounded_pool(Kind::labels, 1), Team{0, 1}, {}).has_value());
}

}  // namespace
}  // namespace hqe
