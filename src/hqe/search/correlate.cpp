// SPDX-License-Identifier: MIT
#include "hqe/search/correlate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hqe/search/quality.h"
#include "hqe/statistics/rank_correlations.h"

namespace hqe {
namespace {

/// The correlations of one tier's teams: of a metric's scores, and of its baseline's where it is
/// focal.
struct CorrelationTask {
  std::size_t search = 0;
  const Tier* tier = nullptr;
  std::optional<std::vector<double>> baseline_scores;
  Correlation result, baseline_result;
};

std::vector<CorrelationTask> correlation_tasks(const std::vector<Search>& searches,
                                               const SearchSpace& space) {
  std::vector<CorrelationTask> tasks;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const Metric metric = searches[i].metric;
    for (const Tier& tier : searches[i].tiers) {
      const Correlation start{.size = tier.team_size, .teams = tier.candidate_count()};
      CorrelationTask& task = tasks.emplace_back(CorrelationTask{i, &tier, {}, start, start});
      if (!is_focal(metric)) continue;
      task.baseline_scores.emplace();
      if (evaluates_all(space, tier)) {
        task.baseline_scores = space.scorer().scores(baseline_of(metric), tier.candidates);
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

void fill_in(CorrelationTask& task, const SearchSpace& space) {
  if (!evaluates_all(space, *task.tier)) return;
  const Ranking correct = ranking_of(space.selection().correct().counts_of(task.tier->candidates));
  const auto add = [&](Correlation& result, const std::vector<double>& scores) {
    const RankCorrelations ranks = rank_correlations(rounded(scores), correct);
    result.spearman = ranks.spearman;
    result.kendall = ranks.kendall;
  };
  add(task.result, task.tier->scores);
  if (!task.baseline_scores) return;
  add(task.baseline_result, *task.baseline_scores);
  task.baseline_scores->clear();
  task.baseline_scores->shrink_to_fit();
}

}  // namespace

std::vector<SearchCorrelations> correlate(const std::vector<Search>& searches,
                                          const SearchSpace& space) {
  std::vector<CorrelationTask> tasks = correlation_tasks(searches, space);
  parallel_for(space.run(), "correlating scores with accuracy", tasks.size(), 1,
               [&](std::uint64_t begin, std::uint64_t, int) { fill_in(tasks[begin], space); });
  std::vector<SearchCorrelations> found(searches.size());
  for (const CorrelationTask& task : tasks) {
    found[task.search].scores.push_back(task.result);
    if (task.baseline_scores) found[task.search].baselines.push_back(task.baseline_result);
  }
  return found;
}

}  // namespace hqe
