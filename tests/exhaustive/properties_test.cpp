// SPDX-License-Identifier: MIT
// What must hold on any pool.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/ensemble/ens_set.h"
#include "tests/reference/pool_with_counts.h"

namespace hqe {
namespace {

using reference::ReferencePool;

ReferencePool any_pool(Random& random) {
  return reference::random_pool({.model_count = 3 + static_cast<int>(random.below(5)),
                                 .sample_count = 1 + static_cast<int>(random.below(300)),
                                 .class_count = 2 + static_cast<int>(random.below(6)),
                                 .accuracy = random.unit(),
                                 .abstain = random.below(2) == 0 ? 0 : 0.1,
                                 .seed = random.bits()});
}

std::vector<int> shuffled(Random& random, int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Scores of all teams of a size, baseline and focal.
std::vector<double> scores(const PoolWithCounts& counted, Metric metric, int size) {
  const TeamList teams = EnsSet(counted.pool.model_count, size).list();
  if (!is_focal(metric)) {
    return baseline_scores(counted.counts(), &counted.bits, metric, teams, {.threads = 1});
  }
  return focal_scores(*focal_source(counted.counts()), metric, Weights::rank, teams,
                      {.threads = 1});
}

TEST_CASE("property: KW = (S-1)/(2S) BD and GD = BD/(2 p1), baseline and focal") {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const PoolWithCounts counted(any_pool(random));
    const Counts counts = counted.counts();
    const auto source = focal_source(counts);
    for (int s = 2; s <= counted.pool.model_count; ++s) {
      const TeamList teams = EnsSet(counted.pool.model_count, s).list();
      const auto bd = scores(counted, Metric::bd, s), kw = scores(counted, Metric::kw, s),
                 gd = scores(counted, Metric::gd, s);
      std::vector<double> q_bd(teams.flat().size()), q_kw(q_bd), q_gd(q_bd);
      source->focal_negative_correlations(Metric::bd, teams, 0, teams.size(), q_bd);
      source->focal_negative_correlations(Metric::kw, teams, 0, teams.size(), q_kw);
      source->focal_negative_correlations(Metric::gd, teams, 0, teams.size(), q_gd);
      for (std::size_t t = 0; t < teams.size(); ++t) {
        double p1 = 0;
        for (const ModelId m : teams[t]) p1 += static_cast<double>(counts.failures(m));
        p1 /= s * static_cast<double>(counts.sample_count());
        CHECK(std::abs(kw[t] - (s - 1) / (2.0 * s) * bd[t]) <= 1e-14);
        CHECK(std::abs(gd[t] - (p1 == 0 ? 0 : bd[t] / (2 * p1))) <= 1e-14);
        for (int place = 0; place < s; ++place) {
          const ModelId f = teams[t][place];
          if (counts.failures(f) == 0) continue;
          const std::size_t at = t * static_cast<std::size_t>(s) + static_cast<std::size_t>(place);
          double focal_p1 = 0;
          for (const ModelId m : teams[t])
            focal_p1 += static_cast<double>(counts.co_failures(f, m));
          focal_p1 /= s * static_cast<double>(counts.failures(f));
          CHECK(std::abs(q_kw[at] - (s - 1) / (2.0 * s) * q_bd[at]) <= 1e-14);
          CHECK(std::abs(q_gd[at] - q_bd[at] / (2 * focal_p1)) <= 1e-14);
        }
      }
    }
  }
}

TEST_CASE("property: scores stay in their ranges") {
  Random random(12);
  for (int round = 0; round < 200; ++round) {
    const PoolWithCounts counted(any_pool(random));
    for (int size = 2; size <= counted.pool.model_count; ++size) {
      for (const Metric metric : all_metrics) {
        // Agreement below chance makes what is "1 - kappa" exceed 1, up to 2.
        const bool to_two = metric == Metric::ck || metric == Metric::fk || metric == Metric::qs ||
                            metric == Metric::cor;
        const double highest = metric == Metric::kw ? 0.25 : to_two ? 2 : 1;
        for (const double score : scores(counted, metric, size)) {
          CAPTURE(to_string(metric));
          CHECK(score >= -1e-15);
          CHECK(score <= highest + 1e-15);
        }
      }
    }
  }
}

TEST_CASE("property: permuting samples changes nothing") {
  Random random(13);
  for (int round = 0; round < 100; ++round) {
    const PoolWithCounts counted(any_pool(random));
    const PoolWithCounts permuted(
        reference::samples_of(counted.pool, shuffled(random, counted.pool.sample_count)));
    CHECK(counted.counts() == permuted.counts());
    for (int size = 2; size <= counted.pool.model_count; ++size) {
      for (const Metric metric : all_metrics) {
        CHECK(scores(counted, metric, size) == scores(permuted, metric, size));
      }
    }
  }
}

TEST_CASE("property: permuting models changes scores by at most 1e-12") {
  Random random(14);
  for (int round = 0; round < 100; ++round) {
    const PoolWithCounts counted(any_pool(random));
    const auto order = shuffled(random, counted.pool.model_count);
    const PoolWithCounts permuted(reference::models_of(counted.pool, order));
    for (int size = 2; size <= counted.pool.model_count; ++size) {
      const auto teams = reference::all_teams(counted.pool.model_count, size);
      std::map<reference::Members, std::size_t> place;
      for (std::size_t t = 0; t < teams.size(); ++t) place[teams[t]] = t;
      for (const Metric metric : all_metrics) {
        const auto before = scores(counted, metric, size), after = scores(permuted, metric, size);
        for (std::size_t t = 0; t < teams.size(); ++t) {
          reference::Members original;
          for (const int m : teams[t]) original.push_back(order[m]);
          std::ranges::sort(original);
          CHECK(std::abs(after[t] - before[place.at(original)]) <= 1e-12);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hqe
