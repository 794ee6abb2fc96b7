// SPDX-License-Identifier: MIT
#include "hqe/verbs/correlate.h"

#include <algorithm>
#include <cstdint>

#include "hqe/search/quality.h"
#include "hqe/statistics/rank_correlations.h"

namespace hqe {
namespace {

/// One correlation to compute: a metric's scores of one tier's teams.
struct CorrelationTask {
  Selection* selection;
  const Tier* tier;
  bool is_baseline;
  std::vector<double> baseline_scores;
  Correlation result;
};

std::vector<CorrelationTask> correlation_tasks(std::vector<Selection>& selections,
                                               const std::vector<Search>& searches,
                                               const SearchSpace& space) {
  std::vector<CorrelationTask> tasks;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const Metric metric = searches[i].metric;
    for (const Tier& tier : searches[i].tiers) {
      const Correlation start{.size = tier.team_size, .teams = tier.candidate_count()};
      tasks.push_back({&selections[i], &tier, false, {}, start});
      if (!is_focal(metric)) continue;
      tasks.push_back({&selections[i], &tier, true, {}, start});
      if (evaluates_all(space, tier)) {
        tasks.back().baseline_scores = space.scorer().scores(baseline_of(metric), tier.candidates);
      }
    }
  }
  return tasks;
}

/// As scores are compared everywhere.
std::vector<double> rounded(const std::vector<double>& scores) {
  std::vector<double> result(scores.size());
  std::ranges::transform(scores, result.begin(), rounded_score);
  return result;
}

}  // namespace

void correlate(std::vector<Selection>& selections, const std::vector<Search>& searches,
               const SearchSpace& space) {
  std::vector<CorrelationTask> tasks = correlation_tasks(selections, searches, space);
  parallel_for(space.run(), "correlating scores with accuracy", tasks.size(), 1,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::uint64_t i = begin; i < end; ++i) {
                   CorrelationTask& task = tasks[i];
                   if (!evaluates_all(space, *task.tier)) continue;
                   const RankCorrelations ranks = rank_correlations(
                       rounded(task.is_baseline ? task.baseline_scores : task.tier->scores),
                       space.selection().correct().of(task.tier->candidates));
                   task.result.spearman = ranks.spearman;
                   task.result.kendall = ranks.kendall;
                 }
               });
  for (const CorrelationTask& task : tasks) {
    Selection& selection = *task.selection;
    (task.is_baseline ? selection.baseline_correlations : selection.correlations)
        .push_back(task.result);
  }
}

}  // namespace hqe
