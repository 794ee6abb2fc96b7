// SPDX-License-Identifier: MIT
#include "hqe/search/correlate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "hqe/search/searched_teams.h"
#include "hqe/statistics/rank_correlations.h"

namespace hqe {
namespace {

constexpr std::string_view correlating = "correlating scores with accuracy";

/// The correlations of one tier's teams: of a metric's scores, and of its baseline's where it is
/// focal.
struct CorrelationTask {
  std::size_t search = 0;
  const Tier* tier = nullptr;
  Metric metric = Metric::f_gd;
  bool is_counted = false;          ///< Every candidate is.
  std::size_t same_candidates = 0;  ///< The first task that has the same.
  Correlation result, baseline_result;
};

/// Metrics that agree grow the same teams, and all of them begin with every pair.
std::size_t first_with_candidates(const std::vector<CorrelationTask>& tasks, const Tier& tier) {
  const auto same = std::ranges::find_if(tasks, [&](const CorrelationTask& other) {
    return other.is_counted && other.tier->candidates == tier.candidates;
  });
  return static_cast<std::size_t>(same - tasks.begin());
}

std::vector<CorrelationTask> correlation_tasks(const std::vector<Search>& searches,
                                               const SearchSpace& space) {
  std::vector<CorrelationTask> tasks;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    for (const Tier& tier : searches[i].tiers) {
      const Correlation start{.size = tier.team_size, .teams = tier.candidate_count()};
      const std::size_t same = first_with_candidates(tasks, tier);
      tasks.push_back(
          {i, &tier, searches[i].metric, evaluates_all(space, tier), same, start, start});
    }
  }
  return tasks;
}

/// One column of scores that is held against the correct counts.
struct CorrelationJob {
  std::size_t task = 0;
  bool of_baseline = false;
};

/// The longest first, so that no thread is left alone with one at the end.
std::vector<CorrelationJob> correlation_jobs(const std::vector<CorrelationTask>& tasks) {
  std::vector<CorrelationJob> jobs;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i].is_counted) continue;
    jobs.push_back({i, false});
    if (is_focal(tasks[i].metric)) jobs.push_back({i, true});
  }
  std::ranges::stable_sort(jobs, std::ranges::greater{}, [&](const CorrelationJob& job) {
    return tasks[job.task].tier->candidates.size();
  });
  return jobs;
}

/// The correct counts of each task's teams, ranked; nothing where another task has the same.
std::vector<Ranking> rankings_of(const std::vector<CorrelationTask>& tasks,
                                 const SearchSpace& space) {
  std::vector<Ranking> rankings(tasks.size());
  parallel_for(space.run(), correlating, tasks.size(), 1, [&](std::uint64_t i, std::uint64_t, int) {
    if (!tasks[i].is_counted || tasks[i].same_candidates != i) return;
    const TeamList& teams = tasks[i].tier->candidates;
    rankings[i] = ranking_of(space.selection().correct().counts_of(teams));
  });
  return rankings;
}

void fill_in(std::vector<CorrelationTask>& tasks, const SearchSpace& space) {
  const std::vector<CorrelationJob> jobs = correlation_jobs(tasks);
  const std::vector<Ranking> correct = rankings_of(tasks, space);
  parallel_for(
      space.run(), correlating, jobs.size(), 1, [&](std::uint64_t job, std::uint64_t, int) {
        CorrelationTask& task = tasks[jobs[job].task];
        const bool of_baseline = jobs[job].of_baseline;
        std::vector<double> scores =
            of_baseline ? space.scorer().scores(baseline_of(task.metric), task.tier->candidates,
                                                {.threads = 1})
                        : task.tier->scores;
        // As they are compared everywhere.
        std::ranges::transform(scores, scores.begin(), rounded_score);
        const RankCorrelations ranks = rank_correlations(scores, correct[task.same_candidates]);
        Correlation& result = of_baseline ? task.baseline_result : task.result;
        result.spearman = ranks.spearman;
        result.kendall = ranks.kendall;
      });
}

}  // namespace

std::vector<SearchCorrelations> correlate(const std::vector<Search>& searches,
                                          const SearchSpace& space) {
  std::vector<CorrelationTask> tasks = correlation_tasks(searches, space);
  fill_in(tasks, space);
  std::vector<SearchCorrelations> found(searches.size());
  for (const CorrelationTask& task : tasks) {
    found[task.search].scores.push_back(task.result);
    if (is_focal(task.metric)) found[task.search].baselines.push_back(task.baseline_result);
  }
  return found;
}

}  // namespace hqe
