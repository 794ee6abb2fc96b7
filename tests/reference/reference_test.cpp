// SPDX-License-Identifier: MIT
// The reference itself against numbers that can be counted on fingers.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/reference/diversity.h"
#include "tests/reference/pruning.h"
#include "tests/reference/votes.h"

namespace hqe::reference {
namespace {

/// Three models on four samples of class 0: model 0 fails on the last two, model 1 on the last, and
/// says 1 there as model 0 does; model 2 fails on the first, with label 2.
ReferencePool three_models() {
  return {.model_count = 3,
          .sample_count = 4,
          .class_count = 3,
          .predictions = {{0, 0, 1, 1}, {0, 0, 0, 1}, {2, 0, 0, 0}},
          .truth = {0, 0, 0, 0}};
}

TEST_CASE("the pair metrics of two models come out as by hand") {
  const ReferencePool pool = three_models();
  const Members pair{0, 1};  // n11 = 2, n10 = 0, n01 = 1, n00 = 1
  const auto score = [&](Metric metric) { return baseline_diversity(pool, metric, pair); };
  CHECK(score(Metric::bd) == 0.25);
  CHECK(score(Metric::kw) == 0.0625);
  CHECK(score(Metric::gd) == doctest::Approx(1 - 0.25 / 0.375));
  // same = 3 of 4; chance = (2*3 + 2*1) / 16 = 1/2.
  CHECK(score(Metric::ck) == doctest::Approx(0.5));
  CHECK(score(Metric::qs) == 0);
  CHECK(score(Metric::cor) == doctest::Approx(1 - 2 / std::sqrt(2.0 * 2 * 3 * 1)));
  CHECK(score(Metric::df) == 0.75);
  CHECK(score(Metric::ent) == 0.25);
  CHECK(score(Metric::cfd) == doctest::Approx(0.5));
  // Right shares 1, 1, 1/2, 0: mean 5/8, variance (2*9/64 + 1/64 + 25/64) / 4 = 11/64.
  CHECK(score(Metric::diff) == doctest::Approx(1 - 11.0 / 64));
  // P = 3/4; 0 has 5 of 8 ratings, 1 has 3: Pe = 34/64.
  CHECK(score(Metric::fk) == doctest::Approx(1 - (0.75 - 34.0 / 64) / (1 - 34.0 / 64)));
}

TEST_CASE("a focal view looks at the focal model's failures alone") {
  const ReferencePool pool = three_models();
  CHECK(pool.negative_samples(0) == std::vector{2, 3});
  CHECK(focal_negative_correlation(pool, Metric::bd, {0, 1}, 0) == 0.5);
  CHECK(focal_negative_correlation(pool, Metric::bd, {0, 1}, 1) == 0);
  CHECK(focal_negative_correlation(pool, Metric::bd, {0, 2}, 2) == 1);
}

TEST_CASE("focal diversity is scaled per focal model and weighted by accuracy rank") {
  const ReferencePool pool = three_models();
  CHECK(accuracy_ranks(pool, {0, 1, 2}) == std::vector{1.0, 2.5, 2.5});
  const auto fq = focal_diversity(pool, Metric::bd, all_teams(3, 2));
  // f = 0: q = 1/2 with 1, 1 with 2; f = 1: 0 with 0, 1 with 2; f = 2: always 1.
  CHECK(fq.at({0, 1}) == 0);
  CHECK(fq.at({0, 2}) == doctest::Approx((1 * 1.0 + 2 * 0.5) / 3));
  CHECK(fq.at({1, 2}) == doctest::Approx((1.0 + 0.5) / 2));
}

TEST_CASE("Algorithm 2 cuts what contains a pruned team") {
  const auto score = [](const std::vector<Members>& teams) {
    std::map<Members, double> scores;
    for (const Members& team : teams) scores[team] = team == Members{0, 1} ? 0 : 1;
    return scores;
  };
  const auto tiers = prune_hierarchically(4, score, {.desired_size = 3, .beta = {0.2}});
  REQUIRE(tiers.size() == 2);
  CHECK(tiers[0].pruned == std::vector<Members>{{0, 1}});
  CHECK(tiers[1].candidates == std::vector<Members>{{0, 2, 3}, {1, 2, 3}});
}

TEST_CASE("among equal scores the later team is pruned first") {
  const auto score = [](const std::vector<Members>& teams) {
    std::map<Members, double> scores;
    for (const Members& team : teams) scores[team] = 0.5;
    return scores;
  };
  const auto tiers = prune_hierarchically(3, score, {.desired_size = 2, .beta = {0.34}});
  CHECK(tiers[0].kept == std::vector<Members>{{0, 1}, {0, 2}});
}

TEST_CASE("votes are broken as the spec says") {
  ReferencePool pool{.model_count = 3,
                     .sample_count = 1,
                     .class_count = 3,
                     .predictions = {{2}, {1}, {-1}},
                     .truth = {2}};
  CHECK(plurality_vote(pool, {0, 1, 2}, 0, {}) == 1);
  CHECK(plurality_vote(pool, {0, 1, 2}, 0, {9, 8, 7}) == 2);
  CHECK(plurality_vote(pool, {2}, 0, {}) == -1);
  CHECK(majority_vote(pool, {0, 1, 2}, 0) == -1);
  CHECK(majority_vote(pool, {0}, 0) == 2);
}

TEST_CASE("a consensus needs more than half of the opinions") {
  const auto result = consensus({{{{0, 1}, 0.5}, {{0, 2}, 0.9}}, {{{0, 1}, 0.7}}});
  REQUIRE(result.size() == 1);
  CHECK(result[0].team == Members{0, 1});
  CHECK(result[0].score == doctest::Approx(0.6));
}

}  // namespace
}  // namespace hqe::reference
