// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "tests/reference/diversity.h"
#include "tests/reference/pool_with_counts.h"

namespace hqe {
namespace {

reference::ReferencePool small_pool() {
  auto pool = reference::random_pool(
      {.model_count = 5, .sample_count = 400, .class_count = 4, .abstain = 0.05, .seed = 4});
  pool.predictions[4] = pool.truth;
  return pool;
}

/// The draws as the header promises them.
double sampled_reference(const reference::ReferencePool& pool, Metric metric,
                         const reference::Members& team, int f, const SampleOptions& options) {
  const auto negatives = pool.negative_samples(f);
  if (negatives.empty()) return 0;
  double sum = 0;
  for (int r = 0; r < options.repeats; ++r) {
    Random random(options.seed, static_cast<std::uint64_t>(f * options.repeats + r));
    std::vector<int> draws;
    for (int d = 0; d < options.draws; ++d)
      draws.push_back(negatives[random.below(negatives.size())]);
    sum += reference::diversity(pool, metric, team, draws);
  }
  return sum / options.repeats;
}

TEST_CASE("sampled scores are means over draws with replacement, one draw a focal model") {
  const PoolWithCounts counted(small_pool());
  const Pool pool = reference::to_pool(counted.pool);
  const auto teams = reference::all_teams(5, 3);
  for (const SampleOptions& options :
       {SampleOptions{}, SampleOptions{.draws = 64, .repeats = 1, .seed = 9},
        SampleOptions{.draws = 1, .repeats = 2, .seed = 1},
        SampleOptions{.draws = 700, .repeats = 2, .seed = 2}}) {
    const auto source = sampled_focal_source(pool, counted.counts(), options, {}, &counted.bits);
    for (const Metric metric : {Metric::ck, Metric::bd, Metric::kw, Metric::gd}) {
      std::vector<double> q(teams.size() * 3);
      source->focal_negative_correlations(metric, list_of(teams), 0, teams.size(), q);
      for (std::size_t i = 0; i < q.size(); ++i) {
        const auto& team = teams[i / 3];
        const int f = team[i % 3];
        CHECK(std::abs(q[i] - sampled_reference(counted.pool, metric, team, f, options)) <= 1e-12);
      }
    }
  }
}

TEST_CASE("without failure bits the pool is scanned for them") {
  const PoolWithCounts counted(small_pool());
  const Pool pool = reference::to_pool(counted.pool);
  const TeamList teams = list_of(reference::all_teams(5, 2));
  const auto with = sampled_focal_source(pool, counted.counts(), {}, {.threads = 1}, &counted.bits);
  const auto without = sampled_focal_source(pool, counted.counts(), {}, {.threads = 2});
  for (const Metric metric : focal_metrics) {
    CHECK(focal_scores(*with, metric, Weights::rank, teams, {.threads = 1}) ==
          focal_scores(*without, metric, Weights::rank, teams, {.threads = 7}));
  }
}

TEST_CASE("another seed gives other draws") {
  const PoolWithCounts counted(small_pool());
  const Pool pool = reference::to_pool(counted.pool);
  const TeamList teams = list_of(reference::all_teams(5, 2));
  const auto scores = [&](std::uint64_t seed) {
    const auto source = sampled_focal_source(pool, counted.counts(), {.seed = seed}, {});
    return focal_scores(*source, Metric::f_gd, Weights::rank, teams, {});
  };
  CHECK(scores(1) != scores(2));
  CHECK(scores(1) == scores(1));
}

TEST_CASE("samples of nothing are refused") {
  const PoolWithCounts counted(small_pool());
  const Pool pool = reference::to_pool(counted.pool);
  CHECK_THROWS_AS(sampled_focal_source(pool, counted.counts(), {.draws = 0}, {}), UsageError);
  CHECK_THROWS_AS(sampled_focal_source(pool, counted.counts(), {.repeats = 0}, {}), UsageError);
}

}  // namespace
}  // namespace hqe
