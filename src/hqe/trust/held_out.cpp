// SPDX-License-Identifier: MIT
#include "hqe/trust/held_out.h"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/diversity/metric.h"
#include "hqe/predictions/samples.h"
#include "hqe/search/answer.h"
#include "hqe/search/decision_of.h"
#include "hqe/search/outcomes.h"
#include "hqe/trust/trust_of.h"

namespace hqe {
namespace {

constexpr std::uint64_t fewest_samples_for_halves = 200;

/// Counts of one rule's choices, fold after fold.
struct Pooled {
  std::uint64_t correct = 0;
  PairedCounts against;  ///< The recommended teams against this rule's ...
  PairedValues merit;    ///< ... and by the merit that was asked for.
};

/// Searching is only worth it where the choice depends on what is found.
bool needs_searches(const SearchSpace& space) {
  return space.options().choose == Choose::consensus || space.options().size_auto ||
         !counts_every_team(space, space.settings().hierarchical.desired_size);
}

/// What is chosen on the samples of `split`, and judged on the others; no team where nothing is.
/// `recommended`: the rule that is held against the others.
FoldFigures choose_without(const SampleSplit& split, const SearchSpace& whole,
                           JudgedRule recommended, std::map<JudgedRule, Pooled>& pooled) {
  PruneOptions options = options_of_a_repeat(whole.options());
  const bool searches = needs_searches(whole);
  // Something must be asked for; GD of all samples needs nothing beyond pairs.
  if (!searches) options.metrics = {Metric::gd};
  SearchSpace fold(whole, split, options, whole.run(), SearchSpace::TestTeams::few);
  const Study answer = choice_of(
      fold, searches ? run_searches(fold, Pruned::forgotten)
                     : Searches{.desired_size = fold.settings().hierarchical.desired_size});
  std::map<JudgedRule, TeamFigures> choices;
  for (const RuleChoice& choice : choices_of(answer)) choices[choice.rule] = choice.figures;
  if (!choices.contains(recommended)) return {};
  const TeamFigures team = choices[recommended];
  choices[JudgedRule::recommended] = team;
  for (const auto& [rule, figures] : choices) {
    Pooled& sum = pooled[rule];
    sum.correct += *figures.test_correct;
    const PairedCounts counts =
        paired_counts(fold.test()->contests(), team.team.view(), figures.team.view());
    sum.against.total += counts.total;
    sum.against.only_first += counts.only_first;
    sum.against.only_second += counts.only_second;
    if (fold.test()->merits()) {
      sum.merit += fold.test()->merits()->difference(team.team.view(), figures.team.view());
    }
  }
  return {.team = team.team,
          .selection = accuracy_figures(team.correct, split.selection.size()),
          .held_out = accuracy_figures(*team.test_correct, split.held_out.size())};
}

/// Puts counts over `samples` held-out samples in the place of what was known of them.
void take_over(Trust& trust, std::map<JudgedRule, Pooled>& pooled, std::uint64_t samples,
               std::uint64_t seed) {
  for (SideBySide& row : trust.teams) {
    row.held_out = accuracy_figures(pooled[row.rule].correct, samples);
  }
  for (BaselineComparison& comparison : trust.comparisons) {
    const Pooled& sum = pooled[comparison.against];
    comparison.held_out = paired_figures(sum.against, seed);
    if (comparison.merit) comparison.merit = merit_figures(sum.merit);
  }
}

}  // namespace

void hold_out(Pool& pool, std::optional<Pool>& test, const PruneOptions& options) {
  const int ways = (options.holdout ? 1 : 0) + (options.folds ? 1 : 0) + (test ? 1 : 0);
  if (ways > 1) {
    throw UsageError(message("{}, {} and {} each say what to judge the choice on. Give one of them",
                             option("holdout"), option("folds"), option("test")));
  }
  if (options.folds) check_folds(pool, *options.folds);
  if (!options.holdout) return;
  pool.has_names = true;  // Both parts have the same models.
  const SampleSplit split = split_samples(pool, *options.holdout, options.seed);
  test = samples_of(pool, split.held_out);
  test->name = pool.name + ", held out";
  pool = samples_of(pool, split.selection);
}

void check_held_out(const SearchSpace& space) {
  if (!space.options().holdout || space.test()->pool().kind == space.selection().pool().kind)
    return;
  throw InputError(space.selection().pool().name, "",
                   "some samples look like probabilities and others like logits",
                   "Declare `kind` in pool.toml");
}

PruneOptions options_of_a_repeat(const PruneOptions& options) {
  PruneOptions repeat = options;
  repeat.holdout.reset();
  repeat.folds.reset();
  repeat.stability = 0;
  repeat.detail = false;
  return repeat;
}

void judge_by_folds(Trust& trust, const SearchSpace& space) {
  const Pool& pool = space.selection().pool();
  std::map<JudgedRule, Pooled> pooled;
  for (const SampleSplit& split :
       fold_samples(pool, *space.options().folds, space.options().seed)) {
    const FoldFigures choice = choose_without(split, space, JudgedRule::recommended, pooled);
    if (choice.team.empty()) {
      trust.says =
          message("Nothing was judged by folds: without one of them no team is selected at all. {}",
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
  take_over(trust, pooled, pool.sample_count, space.options().seed);
}

bool is_judged_on_half(const SearchSpace& space, int desired_size) {
  const PruneOptions& options = space.options();
  return options.judge_on_half && !options.holdout && !options.folds && !space.test() &&
         space.selection().pool().sample_count >= fewest_samples_for_halves &&
         counts_every_team(space, desired_size);
}

void judge_by_half(Trust& trust, const SearchSpace& space, const Study& study) {
  const Pool& pool = space.selection().pool();
  const SampleSplit split = split_samples(pool, 0.5, space.options().seed);
  std::map<JudgedRule, Pooled> pooled;
  FoldFigures choice = choose_without(
      split, space, study.recommended->better_baseline.value_or(JudgedRule::recommended), pooled);
  if (choice.team.empty()) return;
  trust.held_out = HeldOut::half;
  trust.says = fmt::format(
      "The team was chosen on all {} samples. To see what such a choice is worth, the same rule "
      "chose on one half of them and was judged on the other {}{}.",
      pool.sample_count, split.held_out.size(),
      choice.team == study.recommended->figures.team
          ? ", where it chose the same team"
          : fmt::format(": there it chose {}", names_of(study.pool, choice.team)));
  trust.half = std::move(choice);
  take_over(trust, pooled, split.held_out.size(), space.options().seed);
}

}  // namespace hqe
