// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/scenarios.h"
#include "tests/reference/diversity.h"

namespace hqe::bench {
namespace {

/// Labels only: the scores of a large pool would not fit in memory as doubles.
reference::ReferencePool literal_labels(const Pool& pool) {
  const auto samples = static_cast<std::int64_t>(pool.sample_count);
  reference::ReferencePool result{.model_count = pool.model_count(),
                                  .sample_count = static_cast<int>(samples),
                                  .class_count = pool.class_count};
  for (std::int64_t x = 0; x < samples; ++x) {
    result.truth.push_back(static_cast<int>(read_integer(pool.truth, x)));
  }
  result.predictions.resize(pool.models.size());
  parallel_for(
      {}, "reading labels", pool.models.size(), 1, [&](std::uint64_t model, std::uint64_t, int) {
        const Array& array = pool.models[model].predictions;
        std::vector<double> row(static_cast<std::size_t>(pool.class_count));
        for (std::int64_t x = 0; x < samples; ++x) {
          if (has_scores(pool.kind)) read_row(array, x, row);
          result.predictions[model].push_back(has_scores(pool.kind)
                                                  ? reference::argmax(row)
                                                  : static_cast<int>(read_integer(array, x)));
        }
      });
  return result;
}

}  // namespace

void check_correct_counts(const Pool& pool, const VoteRule& rule, const std::vector<Team>& teams,
                          const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> literal(teams.size());
  parallel_for({}, "checking", teams.size(), 1, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t i = begin; i < end; ++i) {
      for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
        literal[i] += team_answer(pool, rule, teams[i].view(), sample) == pool.true_label(sample);
      }
    }
  });
  for (std::size_t i = 0; i < teams.size(); ++i) {
    if (literal[i] == counts[i]) continue;
    throw std::runtime_error("wrong answer for team " + to_string(teams[i].view()) + ": " +
                             std::to_string(counts[i]) + ", literally " +
                             std::to_string(literal[i]));
  }
}

void check_focal_scores(const Pool& pool, const FocalSource& source, const TeamList& teams) {
  const reference::ReferencePool literal = literal_labels(pool);
  const auto size = static_cast<std::size_t>(teams.team_size());
  std::vector<double> found(teams.size() * size);
  for (const Metric metric : {Metric::ck, Metric::bd, Metric::kw, Metric::gd}) {
    source.focal_negative_correlations(metric, teams, 0, teams.size(), found);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const TeamView team = teams[i / size];
      const ModelId f = team[i % size];
      if (!source.ever_fails(f)) continue;
      const double wanted = reference::focal_negative_correlation(
          literal, metric, reference::Members(team.begin(), team.end()), f);
      if (std::abs(found[i] - wanted) <= 1e-12) continue;
      throw std::runtime_error("wrong " + std::string(to_string(metric)) + " of team " +
                               to_string(team) + " where " + std::to_string(f) + " fails: " +
                               std::to_string(found[i]) + ", literally " + std::to_string(wanted));
    }
  }
}

}  // namespace hqe::bench
