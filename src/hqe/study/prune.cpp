// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/errors.h"
#include "hqe/evaluation/robustness.h"
#include "hqe/study/answer.h"
#include "hqe/study/correlation.h"
#include "hqe/study/detail.h"
#include "hqe/study/held_out.h"
#include "hqe/study/judge.h"
#include "hqe/study/nothing_selected.h"
#include "hqe/study/prepare.h"
#include "hqe/study/search.h"
#include "hqe/study/serving_of.h"
#include "hqe/study/sweep_rows.h"
#include "hqe/study/trust_of.h"
#include "hqe/study/tuning.h"
#include "hqe/study/verbs.h"

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
                        prepared.options.merit == Merit::accuracy &&
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

/// The baseline with the most right answers on the half held back, where that half calls what is
/// recommended worse than one of them, and it may be chosen.
const BaselineComparison* better_baseline(const Study& study, const Prepared& prepared) {
  if (study.trust.held_out != HeldOut::half) return nullptr;
  const BaselineComparison* best = nullptr;
  for (const BaselineComparison& comparison : study.trust.comparisons) {
    const bool is_worse = comparison.verdict == Verdict::worse;
    if (!is_worse || !prepared.eligibility().allows(comparison.team.view())) continue;
    const auto gain = [](const BaselineComparison& one) {
      return one.held_out->counts.difference();
    };
    if (best == nullptr || gain(comparison) < gain(*best)) best = &comparison;
  }
  return best;
}

/// Recommends the better baseline in place of what its own figures would call worse.
void mend(Study& study, Prepared& prepared, const Searches& found) {
  const BaselineComparison* better = better_baseline(study, prepared);
  if (better == nullptr) return;
  Recommendation& recommended = *study.recommended;
  recommended.why = fmt::format(
      "Chosen on one half of the samples and judged on the other, this is better by {:.2f} points "
      "than {}, which the evidence within the samples had preferred.",
      -100 * better->held_out->counts.difference(), recommended.from);
  recommended.better_baseline = better->against;
  recommended.figures = prepared.figures(better->team);
  recommended.from = baseline_title(better->against, better->team.size());
  recommended.alternatives.clear();
  study.trust = trust_of(prepared, found, study);
}

/// What the samples held out on request call worse is said, not mended: they judge the choice and
/// never make it.
void warn_of_worse(Study& study) {
  for (const BaselineComparison& comparison : study.trust.comparisons) {
    if (comparison.verdict != Verdict::worse) continue;
    study.warnings.push_back(
        fmt::format("on the samples held out, {} is better than the recommended team",
                    baseline_title(comparison.against, comparison.team.size())));
  }
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
  hold_out(pool, test, options);
  Prepared prepared(std::move(pool), std::move(test), options, run);
  check_held_out(prepared);
  const Searches found = run_searches(prepared);
  Study study = answer_of(prepared, found);
  study.options = options;
  correlate(study.selections, found.searches, prepared);
  study.trust = trust_of(prepared, found, study);
  mend(study, prepared, found);
  if (study.recommended) {
    const Team& team = study.recommended->figures.team;
    study.recommended_errors = errors_of(prepared.measured, team, run);
    study.recommended_robustness = robustness_of(prepared.measured, team, options.radii, run);
    study.recommended->serving = serving_of(prepared, team);
  }
  study.warnings = prepared.warnings;
  study.warnings.insert(study.warnings.end(), found.warnings.begin(), found.warnings.end());
  warn_of_worse(study);
  if (study.empty()) study.warnings.push_back(why_nothing_selected(prepared, found));
  if (options.detail) {
    const auto& recommended = study.recommended;
    study.detail = detail_of(prepared, found.searches,
                             recommended ? std::optional(recommended->figures.team) : std::nullopt);
    study.detail->sweep = sweep_around(prepared, study.desired_size);
  }
  prepared.check_unchanged();
  return study;
}

}  // namespace hqe
