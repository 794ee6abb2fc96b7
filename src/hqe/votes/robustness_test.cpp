// SPDX-License-Identifier: MIT
#include "hqe/votes/robustness.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/scan/scan.h"
#include "hqe/votes/vote.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::strange_pool;

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
