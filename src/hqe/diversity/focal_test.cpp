// SPDX-License-Identifier: MIT
#include "hqe/diversity/focal.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hqe/base/random.h"
#include "tests/reference/diversity.h"
#include "tests/reference/pool_with_counts.h"

namespace hqe {
namespace {

constexpr std::array<Metric, 4> baselines{Metric::ck, Metric::bd, Metric::kw, Metric::gd};

/// Compares q_f and FQ of all teams of a size with the reference.
void check_focal(const reference::ReferencePool& pool, int size, const CountOptions& options = {}) {
  const auto source = focal_source(PoolWithCounts(pool, options).counts());
  const auto teams = reference::all_teams(pool.model_count, size);
  const TeamList list = list_of(teams);
  for (const Metric metric : focal_metrics) {
    CAPTURE(to_string(metric));
    std::vector<double> q(teams.size() * static_cast<std::size_t>(size));
    source->focal_negative_correlations(baseline_of(metric), list, 0, teams.size(), q);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const int f = list.flat()[i];
      const double expected = pool.negative_samples(f).empty()
                                  ? 0
                                  : reference::focal_negative_correlation(pool, baseline_of(metric),
                                                                          teams[i / size], f);
      CHECK(std::abs(q[i] - expected) <= 1e-12);
    }
    for (const Weights weights : {Weights::rank, Weights::uniform}) {
      const auto scores = focal_scores(*source, metric, weights, list, {.threads = 2});
      const auto expected =
          reference::focal_diversity(pool, baseline_of(metric), teams, weights == Weights::uniform);
      for (std::size_t i = 0; i < teams.size(); ++i) {
        CHECK(std::abs(scores[i] - expected.at(teams[i])) <= 1e-9);
      }
    }
  }
}

TEST_CASE("focal scores equal Algorithm 1 line by line") {
  for (const int classes : {2, 3, 20}) {
    for (const double abstain : {0.0, 0.1}) {
      const auto pool = reference::random_pool(
          {.model_count = 6, .sample_count = 200, .class_count = classes, .abstain = abstain});
      for (int size = 2; size <= 6; ++size) check_focal(pool, size);
    }
  }
}

TEST_CASE("focal scores that are counted on demand are the same") {
  const auto pool = reference::random_pool(
      {.model_count = 5, .sample_count = 150, .class_count = 4, .abstain = 0.1});
  for (const std::size_t limit : {0, 40, 600}) check_focal(pool, 3, {.table_limit = limit});
}

TEST_CASE("a member that never fails has no focal view, and without one the score is 0") {
  auto pool = reference::random_pool({.model_count = 4, .sample_count = 60, .class_count = 3});
  pool.predictions[1] = pool.truth;
  check_focal(pool, 2);
  check_focal(pool, 3);
  for (auto& labels : pool.predictions) labels = pool.truth;
  check_focal(pool, 2);
  const auto source = focal_source(PoolWithCounts(pool).counts());
  CHECK(focal_scores(*source, Metric::f_gd, Weights::rank, list_of({{0, 1}}), {}) ==
        std::vector{0.0});
}

TEST_CASE("a single team, or teams that all score alike, are scaled to one half") {
  const auto pool = reference::random_pool({.model_count = 4, .sample_count = 60});
  const auto source = focal_source(PoolWithCounts(pool).counts());
  CHECK(focal_scores(*source, Metric::f_bd, Weights::rank, list_of({{0, 2, 3}}), {}) ==
        std::vector{0.5});
}

TEST_CASE("above 160 models kappas are not remembered, and are the same") {
  const std::vector<int> some{3, 50, 51, 120, 168};
  for (const int classes : {2, 4}) {
    for (const double abstain : {0.0, 0.1}) {
      CAPTURE(classes);
      CAPTURE(abstain);
      auto pool = reference::random_pool(
          {.model_count = 170, .sample_count = 120, .class_count = classes, .abstain = abstain});
      pool.predictions[51] = pool.truth;     // Never fails.
      pool.predictions[120].assign(120, 0);  // Names one label only.
      const auto wide = focal_source(PoolWithCounts(pool).counts());
      const auto narrow = focal_source(PoolWithCounts(reference::models_of(pool, some)).counts());
      for (int size = 3; size <= 5; ++size) {
        const auto places = reference::all_teams(5, size);
        std::vector<reference::Members> teams = places;
        for (auto& team : teams) {
          for (int& member : team) member = some[static_cast<std::size_t>(member)];
        }
        const std::size_t numbers = teams.size() * static_cast<std::size_t>(size);
        std::vector<double> q_wide(numbers), q_narrow(numbers);
        wide->focal_negative_correlations(Metric::ck, list_of(teams), 0, teams.size(), q_wide);
        narrow->focal_negative_correlations(Metric::ck, list_of(places), 0, teams.size(), q_narrow);
        CHECK(q_wide == q_narrow);
      }
    }
  }
}

/// Asked only for what reaches a floor, the rest is as it was or minus infinity.
void check_above_floors(FocalPasses& passes, const TeamList& list,
                        const std::vector<double>& scores) {
  std::vector<double> floors = scores;
  std::ranges::sort(floors);
  for (const double floor : {floors.front(), floors[floors.size() / 2], floors.back(), 2.0}) {
    std::vector<double> found(list.size());
    passes.score(list, 0, list.size(), 0, floor, found);
    std::size_t spared = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (std::isinf(found[i])) ++spared;
      CHECK((found[i] == scores[i] || (std::isinf(found[i]) && scores[i] < floor)));
    }
    CHECK((spared > 0) == (floor > floors.front() + 1e-9));
  }
}

TEST_CASE("two passes over pieces of a list score it as the whole is scored") {
  for (const int classes : {2, 5}) {
    const auto pool =
        reference::random_pool({.model_count = 12, .sample_count = 200, .class_count = classes});
    const auto source = focal_source(PoolWithCounts(pool).counts());
    for (int size = 2; size <= 5; ++size) {
      const TeamList list = list_of(reference::all_teams(12, size));
      for (const Metric metric : focal_metrics) {
        for (const Weights weights : all_weights) {
          FocalPasses passes(*source, metric, weights, {.threads = 3});
          const auto for_each_piece = [&](const auto& visit) {
            for (std::size_t begin = 0; begin < list.size(); begin += 7) {
              visit(begin, std::min(begin + 7, list.size()), static_cast<int>(begin % 3));
            }
          };
          for_each_piece([&](std::size_t begin, std::size_t end, int worker) {
            passes.look_at(list, begin, end, worker);
          });
          passes.settle();
          std::vector<double> scores(list.size());
          for_each_piece([&](std::size_t begin, std::size_t end, int worker) {
            passes.score(list, begin, end, worker, std::span(scores).subspan(begin, end - begin));
          });
          CHECK(scores == focal_scores(*source, metric, weights, list, {.threads = 2}));
          check_above_floors(passes, list, scores);
        }
      }
    }
  }
}

// A sorted list shares the work of common beginnings between neighbours; nobody may notice.
void check_any_order(const FocalSource& source, std::size_t size) {
  const auto teams = reference::all_teams(8, static_cast<int>(size));
  const TeamList sorted = list_of(teams);
  Random random(9);
  std::vector<std::size_t> order(teams.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<reference::Members> shuffled;
  for (const std::size_t i : order) shuffled.push_back(teams[i]);

  for (const Metric metric : baselines) {
    std::vector<double> all(teams.size() * size), other(teams.size() * size), part(size);
    source.focal_negative_correlations(metric, sorted, 0, teams.size(), all);
    source.focal_negative_correlations(metric, list_of(shuffled), 0, teams.size(), other);
    for (std::size_t i = 0; i < order.size(); ++i) {
      source.focal_negative_correlations(metric, sorted, order[i], order[i] + 1, part);
      for (std::size_t f = 0; f < size; ++f) {
        CHECK(all[order[i] * size + f] == other[i * size + f]);
        CHECK(all[order[i] * size + f] == part[f]);
      }
    }
  }
}

TEST_CASE("neither the order of the list nor the range asked for changes a bit of q") {
  const auto pool = reference::random_pool({.model_count = 8, .sample_count = 300});
  const auto source = focal_source(PoolWithCounts(pool).counts());
  for (const std::size_t size : {3U, 4U}) check_any_order(*source, size);
}

TEST_CASE("weights are spelled as on the command line") {
  CHECK(parse_weights("uniform") == Weights::uniform);
  CHECK(parse_weights(to_string(Weights::rank)) == Weights::rank);
  CHECK_FALSE(parse_weights("accuracy").has_value());
}

}  // namespace
}  // namespace hqe
