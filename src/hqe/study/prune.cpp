// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/errors.h"
#include "hqe/evaluation/robustness.h"
#include "hqe/study/correlation.h"
#include "hqe/study/detail.h"
#include "hqe/study/judge.h"
#include "hqe/study/prepare.h"
#include "hqe/study/recommend.h"
#include "hqe/study/search.h"
#include "hqe/study/sweep_rows.h"
#include "hqe/study/tuning.h"
#include "hqe/study/verbs.h"

namespace hqe {
namespace {

std::vector<TierSummary> tier_summaries(const Search& search) {
  std::vector<TierSummary> summaries;
  if (search.threshold) return summaries;
  for (const Tier& tier : search.tiers) {
    const bool one_beta = search.beta.size() == 1;
    const auto place = one_beta ? 0 : static_cast<std::size_t>(tier.team_size - 2);
    summaries.push_back({.size = tier.team_size,
                         .candidates = tier.candidates.size(),
                         .pruned = tier.pruned_count,
                         .cut = tier.cut_count,
                         .beta = search.beta[place]});
  }
  return summaries;
}

Selection selection_of(const Search& search, const Counters& counters) {
  return {.metric = std::string(to_string(search.metric)),
          .tiers = tier_summaries(search),
          .threshold = search.threshold,
          .selected = selected_teams(search, counters)};
}

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
                                               const Prepared& prepared) {
  std::vector<CorrelationTask> tasks;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const Metric metric = searches[i].metric;
    for (const Tier& tier : searches[i].tiers) {
      const Correlation start{.size = tier.team_size, .teams = tier.candidates.size()};
      tasks.push_back({&selections[i], &tier, false, {}, start});
      if (!is_focal(metric)) continue;
      tasks.push_back({&selections[i], &tier, true, {}, start});
      if (evaluates_all(prepared, tier)) {
        tasks.back().baseline_scores = prepared.scorer.scores(baseline_of(metric), tier.candidates);
      }
    }
  }
  return tasks;
}

/// Fills in how well each metric, and beside a focal one its baseline, foretold accuracy.
void correlate(std::vector<Selection>& selections, const std::vector<Search>& searches,
               const Prepared& prepared) {
  std::vector<CorrelationTask> tasks = correlation_tasks(selections, searches, prepared);
  parallel_for(prepared.run, "correlating scores with accuracy", tasks.size(), 1,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::uint64_t i = begin; i < end; ++i) {
                   CorrelationTask& task = tasks[i];
                   if (!evaluates_all(prepared, *task.tier)) continue;
                   const RankCorrelations ranks = rank_correlations(
                       task.is_baseline ? task.baseline_scores : task.tier->scores,
                       prepared.correct.of(task.tier->candidates));
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

/// The settings that a report draws: the paper's betas, sizes up to one above the desired. Only
/// where a tier is small enough for the whole sweep to be a matter of moments.
std::vector<SweepRow> sweep_around(Prepared& prepared, int size) {
  constexpr std::uint64_t most_teams = 20'000;
  const bool is_plain = prepared.options.by == By::hierarchical &&
                        prepared.options.require.empty() && prepared.options.exclude.empty() &&
                        prepared.options.budget.empty();
  std::vector<int> sizes;
  for (int one = std::max(2, size - 2); one <= std::min(size + 1, prepared.model_count() - 1);
       ++one) {
    const auto teams = EnsSet(prepared.model_count(), one).size();
    if (teams && *teams <= most_teams) sizes.push_back(one);
  }
  if (!is_plain || sizes.empty()) return {};
  return sweep_rows(prepared, sizes, {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35});
}

TeamErrors errors_of(const Measured& measured, const Team& team, const Run& run) {
  const Counts& counts = measured.counts;
  const auto models = static_cast<ModelId>(counts.model_count());
  std::vector<std::uint64_t> co_failures;
  for (ModelId i = 0; i < models; ++i) {
    for (ModelId j = 0; j < models; ++j) co_failures.push_back(counts.co_failures(i, j));
  }
  TeamErrors errors{
      .error_correlation =
          error_correlation(team.view(), counts.sample_count(), co_failures, models),
      .posterior_error_correlation = posterior_error_correlation(measured.pool, team.view(), run)};
  if (errors.error_correlation) {
    errors.added_error_ratio = added_error_ratio(team.size(), *errors.error_correlation);
  }
  return errors;
}

/// Certified radii are those of the soft vote; nothing for the others.
std::optional<Robustness> robustness_of(const Measured& measured, const Team& team,
                                        const std::vector<double>& radii, const Run& run) {
  if (measured.contests->rule().vote != Vote::soft) return std::nullopt;
  const auto certified = certified_radii(measured.pool, team.view(), run);
  if (!certified) return std::nullopt;
  Robustness robustness{.median_radius = certified->median()};
  for (const double radius : radii) {
    robustness.certified.push_back({.radius = radius, .share = certified->share(radius)});
  }
  return robustness;
}

}  // namespace

Study prune(Pool pool, const PruneOptions& options, const Run& run, std::optional<Pool> test) {
  Prepared prepared(std::move(pool), std::move(test), options, run);
  Searches found = run_searches(prepared);
  const int size = found.desired_size;
  const bool by_mean = options.by == By::mean;

  const Population of_size = count_population(prepared, size, size);
  const Population selectable =
      by_mean ? count_population(prepared, 2, prepared.model_count() - 1) : of_size;
  learn_searched_teams(prepared, found.searches);
  const std::optional<int> team_size = by_mean ? std::nullopt : std::optional(size);

  Study study{.pool = summary_of(prepared.measured),
              .options = options,
              .vote = prepared.correct.contests().rule().vote,
              .desired_size = size,
              .metrics = prepared.settings.metrics,
              .reference = prepared.reference};
  if (prepared.test) {
    study.test = {.pool = summary_of(*prepared.test),
                  .reference_correct = *prepared.reference.test_correct};
  }
  for (const Search& search : found.searches) {
    study.selections.push_back(selection_of(search, prepared.counters()));
    judge(study.selections.back(), prepared, selectable, team_size);
  }
  correlate(study.selections, found.searches, prepared);
  if (auto agreement = agreement_of(found.searches, prepared.counters())) {
    study.consensus = {
        .selection = {.metric = "MAJORITY-F", .selected = std::move(agreement->selected)},
        .metrics = agreement->metrics,
        .distinct_metrics = agreement->distinct_metrics};
    judge(study.consensus->selection, prepared, selectable, team_size);
  }
  study.baselines = baselines_of(prepared, size, of_size);
  study.recommended = recommend(study);
  if (study.recommended) {
    const Team& team = study.recommended->figures.team;
    study.recommended_errors = errors_of(prepared.measured, team, run);
    study.recommended_robustness = robustness_of(prepared.measured, team, options.radii, run);
  }
  study.warnings = prepared.warnings;
  study.warnings.insert(study.warnings.end(), found.warnings.begin(), found.warnings.end());
  if (options.detail) {
    const auto& recommended = study.recommended;
    study.detail = detail_of(prepared, found.searches,
                             recommended ? std::optional(recommended->figures.team) : std::nullopt);
    study.detail->sweep = sweep_around(prepared, size);
  }
  return study;
}

}  // namespace hqe
