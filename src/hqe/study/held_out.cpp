// SPDX-License-Identifier: MIT
#include "hqe/study/held_out.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/predictions/samples.h"
#include "hqe/study/answer.h"
#include "hqe/study/outcomes.h"
#include "hqe/study/trust_of.h"

namespace hqe {
namespace {

/// Counts of one rule's choices, fold after fold.
struct Pooled {
  std::uint64_t correct = 0;
  PairedCounts against;  ///< The recommended teams against this rule's.
};

/// What is chosen on the samples of `split`, and judged on the others; no team where nothing is.
FoldFigures choose_without(const SampleSplit& split, const Prepared& whole, Pooled& recommended,
                           std::map<std::string, Pooled>& baselines) {
  // The whole pool was scanned, so its kind is known for certain.
  Pool pool = whole.measured.pool;
  pool.kind_detected = false;
  Prepared fold(samples_of(pool, split.selection), samples_of(pool, split.held_out),
                options_of_a_repeat(whole.options), whole.run);
  const Study answer = answer_of(fold, run_searches(fold));
  if (!answer.recommended) return {};
  const TeamFigures& team = answer.recommended->figures;
  recommended.correct += *team.test_correct;
  const auto pool_counts = [&](const std::string& name, const TeamFigures& baseline) {
    Pooled& pooled = baselines[name];
    pooled.correct += *baseline.test_correct;
    const PairedCounts counts =
        paired_counts(*fold.test->contests, team.team.view(), baseline.team.view());
    pooled.against.total += counts.total;
    pooled.against.only_first += counts.only_first;
    pooled.against.only_second += counts.only_second;
  };
  pool_counts("entire_ensemble", answer.reference);
  pool_counts("best_single", answer.baselines.best_single);
  if (!answer.baselines.most_accurate.team.empty()) {
    pool_counts("most_accurate", answer.baselines.most_accurate);
  }
  return {.team = team.team,
          .selection = accuracy_figures(team.correct, split.selection.size()),
          .held_out = accuracy_figures(*team.test_correct, split.held_out.size())};
}

}  // namespace

void hold_out(Pool& pool, std::optional<Pool>& test, const PruneOptions& options) {
  const int ways = (options.holdout ? 1 : 0) + (options.folds ? 1 : 0) + (test ? 1 : 0);
  if (ways > 1) {
    throw UsageError(
        "--holdout, --folds and --test each say what to judge the choice on. Give one of them");
  }
  if (options.folds) check_folds(pool, *options.folds);
  if (!options.holdout) return;
  const SampleSplit split = split_samples(pool, *options.holdout, options.seed);
  test = samples_of(pool, split.held_out);
  test->name = pool.name + ", held out";
  pool = samples_of(pool, split.selection);
}

void check_held_out(const Prepared& prepared) {
  if (!prepared.options.holdout || prepared.test->pool.kind == prepared.measured.pool.kind) return;
  throw InputError(prepared.measured.pool.name, "",
                   "some samples look like probabilities and others like logits",
                   "Declare `kind` in pool.toml");
}

PruneOptions options_of_a_repeat(const PruneOptions& options) {
  PruneOptions repeat = options;
  repeat.holdout.reset();
  repeat.folds.reset();
  repeat.stability = 0;
  repeat.detail = false;
  // Only "auto" needs to know every team; the others are asked for nothing but their choice.
  if (!options.beta_auto && !options.size_auto) repeat.max_evaluate = 0;
  return repeat;
}

void judge_by_folds(Trust& trust, const Prepared& prepared) {
  const Pool& pool = prepared.measured.pool;
  Pooled recommended;
  std::map<std::string, Pooled> baselines;
  for (const SampleSplit& split :
       fold_samples(pool, *prepared.options.folds, prepared.options.seed)) {
    const FoldFigures choice = choose_without(split, prepared, recommended, baselines);
    if (choice.team.empty()) {
      trust.says = fmt::format(
          "Nothing was judged by folds: without one of them no team is selected at all. {}",
          trust.says);
      trust.folds.clear();
      return;
    }
    trust.folds.push_back(choice);
  }
  trust.held_out = HeldOut::folds;
  trust.says = fmt::format(
      "Every sample was judged once, by a choice made on the {} folds without it; the team above "
      "was then chosen on all {} samples.",
      trust.folds.size() - 1, pool.sample_count);
  for (SideBySide& row : trust.teams) {
    const std::uint64_t correct =
        row.name == "recommended" ? recommended.correct : baselines[row.name].correct;
    row.held_out = accuracy_figures(correct, pool.sample_count);
  }
  for (BaselineComparison& comparison : trust.comparisons) {
    comparison.held_out =
        paired_figures(baselines[comparison.against].against, prepared.options.seed);
  }
}

}  // namespace hqe
