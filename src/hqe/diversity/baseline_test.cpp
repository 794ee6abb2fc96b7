// SPDX-License-Identifier: MIT
#include "hqe/diversity/baseline.h"

#include <doctest/doctest.h>

#include "tests/reference/diversity.h"
#include "tests/reference/pool_with_counts.h"

namespace hqe {
namespace {

void check_baseline(const reference::ReferencePool& pool) {
  const PoolWithCounts counted(pool);
  for (int size = 2; size <= pool.model_count; ++size) {
    const auto teams = reference::all_teams(pool.model_count, size);
    for (const Metric metric : all_metrics) {
      if (is_focal(metric)) continue;
      const auto scores =
          baseline_scores(counted.counts(), &counted.bits, metric, list_of(teams), {.threads = 1});
      REQUIRE(scores.size() == teams.size());
      for (std::size_t i = 0; i < teams.size(); ++i) {
        CAPTURE(to_string(metric));
        CAPTURE(size);
        CHECK(std::abs(scores[i] - reference::baseline_diversity(pool, metric, teams[i])) <= 1e-12);
      }
    }
  }
}

TEST_CASE("every baseline metric equals its definition sample by sample") {
  for (const int classes : {2, 3, 20}) {
    for (const double abstain : {0.0, 0.1}) {
      check_baseline(reference::random_pool(
          {.model_count = 6, .sample_count = 300, .class_count = classes, .abstain = abstain}));
    }
  }
}

TEST_CASE("constant, perfect and hopeless models do not divide by zero") {
  auto pool = reference::random_pool({.model_count = 6, .sample_count = 80, .class_count = 3});
  pool.predictions[1] = pool.truth;
  pool.predictions[2] = pool.truth;
  pool.predictions[3].assign(80, -1);
  pool.predictions[4].assign(80, -1);
  check_baseline(pool);
  for (auto& labels : pool.predictions) labels = pool.truth;
  check_baseline(pool);
  for (auto& labels : pool.predictions) labels.assign(80, -1);
  check_baseline(pool);
}

TEST_CASE("a few teams of a wide pool score as among many") {
  const auto pool =
      reference::random_pool({.model_count = 40, .sample_count = 200, .class_count = 4});
  const PoolWithCounts counted(pool);
  const std::vector<reference::Members> few{{0, 7, 39}, {3, 4, 5}};
  for (const Metric metric : {Metric::ck, Metric::qs, Metric::cor}) {
    const auto scores = baseline_scores(counted.counts(), nullptr, metric, list_of(few), {});
    for (std::size_t i = 0; i < few.size(); ++i) {
      CHECK(std::abs(scores[i] - reference::baseline_diversity(pool, metric, few[i])) <= 1e-12);
    }
  }
}

}  // namespace
}  // namespace hqe
