// SPDX-License-Identifier: MIT
#include "hqe/trust/trust_of.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "hqe/base/option_name.h"
#include "hqe/pruning/eligibility.h"
#include "hqe/search/decision_of.h"
#include "hqe/search/outcomes.h"
#include "hqe/statistics/chosen.h"
#include "hqe/trust/held_out.h"
#include "hqe/trust/pruning_check.h"
#include "hqe/trust/stability.h"

namespace hqe {
namespace {

constexpr int simultaneous_resamples = 1000;
/// The correction for the choice looks at no more teams than this, the most accurate ones.
constexpr std::size_t most_teams_to_correct_for = 4096;
/// The evidence looks at every team; those far behind change nothing, and each costs a thousand
/// resamples.
constexpr std::size_t most_candidates_to_correct_for = 32;
/// All rows of the correction together, in words: 64 MiB.
constexpr std::size_t most_words = std::size_t{1} << 23;

SideBySide side_by_side(const RuleChoice& choice, const SearchSpace& space) {
  const TeamFigures& figures = choice.figures;
  SideBySide row{
      .rule = choice.rule,
      .team = figures.team,
      .selection = accuracy_figures(figures.correct, space.selection().pool().sample_count)};
  if (figures.test_correct) {
    row.held_out = accuracy_figures(*figures.test_correct, space.test()->pool().sample_count);
  }
  return row;
}

/// The teams that the recommended one was chosen from.
std::vector<const SelectedTeams*> chosen_from(const Study& study) {
  if (study.consensus && study.consensus->selection.selected.size() > 0) {
    return {&study.consensus->selection.selected};
  }
  std::vector<const SelectedTeams*> lists;
  for (const Selection& selection : study.selections) lists.push_back(&selection.selected);
  return lists;
}

/// At most `most` of these teams, those with the most correct answers, the recommended one first.
TeamTable most_accurate_of(const std::vector<const SelectedTeams*>& lists, const Team& recommended,
                           std::size_t most) {
  struct Entry {
    std::uint64_t correct;
    std::uint32_t list;
    std::size_t place;
  };
  std::vector<Entry> entries;
  for (std::uint32_t list = 0; list < lists.size(); ++list) {
    for (std::size_t i = 0; i < lists[list]->size(); ++i) {
      entries.push_back({lists[list]->correct[i], list, i});
    }
  }
  const auto before = [](const Entry& left, const Entry& right) {
    if (left.correct != right.correct) return left.correct > right.correct;
    return std::pair(left.list, left.place) < std::pair(right.list, right.place);
  };
  const std::size_t count = std::min(most, entries.size());
  std::ranges::nth_element(entries, entries.begin() + static_cast<std::ptrdiff_t>(count), before);
  entries.resize(count);
  std::ranges::sort(entries, before);
  TeamTable teams;
  teams.push_back(recommended.view());
  for (const Entry& entry : entries) {
    const TeamView team = lists[entry.list]->teams[entry.place];
    if (teams.size() < most && !std::ranges::equal(team, recommended)) teams.push_back(team);
  }
  return teams;
}

/// The teams that a choice among many may have been lucky with, the recommended one first.
TeamTable teams_looked_at(const Study& study, SearchSpace& space, Searches& found,
                          std::size_t most) {
  const Team& recommended = study.recommended->figures.team;
  if (study.options.choose == Choose::consensus) {
    return most_accurate_of(chosen_from(study), recommended, most);
  }
  struct Entry {
    std::uint64_t correct;
    Team team;
  };
  std::vector<Entry> entries;
  for (const TeamList& shortlist : shortlists_of(space, found)) {
    for (std::size_t i = 0; i < shortlist.size(); ++i) {
      entries.push_back({space.selection().correct().of(shortlist[i]), Team(shortlist[i])});
    }
  }
  std::ranges::stable_sort(entries, std::ranges::greater{}, &Entry::correct);
  TeamTable teams;
  teams.push_back(recommended.view());
  for (const Entry& entry : entries) {
    if (teams.size() == std::min(most, most_candidates_to_correct_for)) break;
    if (entry.team != recommended) teams.push_back(entry.team.view());
  }
  return teams;
}

/// How many teams there were to choose from.
std::uint64_t teams_to_choose_from(const Study& study, const SearchSpace& space) {
  std::uint64_t count = 0;
  if (study.options.choose == Choose::consensus) {
    for (const SelectedTeams* list : chosen_from(study)) count += list->size();
    return count;
  }
  for (int size = 1; size <= study.desired_size; ++size) {
    count += eligible_team_count(space.model_count(), size, space.eligibility()).value_or(0);
  }
  return count;
}

/// Fills in the corrected intervals.
void correct_for_choice(Trust& trust, const Study& study, SearchSpace& space, Searches& found) {
  const Contests& contests = space.selection().contests();
  const std::size_t words = (contests.summary().contested + 63) / 64;
  const std::size_t most = std::clamp<std::size_t>(most_words / std::max<std::size_t>(words, 1), 1,
                                                   most_teams_to_correct_for);
  const TeamTable teams = teams_looked_at(study, space, found, most);
  TeamTable baselines;
  for (const BaselineComparison& comparison : trust.comparisons) {
    baselines.push_back(comparison.team.view());
  }
  const SimultaneousQuantiles quantiles = simultaneous_quantiles(
      outcome_rows(contests, teams, space.run()), outcome_rows(contests, baselines, space.run()),
      space.options().seed, simultaneous_resamples, space.run());
  const std::uint64_t samples = space.selection().pool().sample_count;
  trust.chosen = ChosenInterval{
      .interval = wilson_interval(study.recommended->figures.correct, samples, quantiles.accuracy),
      .quantile = quantiles.accuracy,
      .among = teams.size(),
      .kept = std::max<std::uint64_t>(teams_to_choose_from(study, space), teams.size()),
      .resamples = simultaneous_resamples};
  for (BaselineComparison& comparison : trust.comparisons) {
    comparison.corrected = normal_interval(comparison.selection.counts, quantiles.difference);
    if (comparison.merit && !comparison.held_out) {
      MeritFigures& merit = *comparison.merit;
      merit.interval =
          normal_interval(merit.difference, merit.deviation, samples, quantiles.difference);
    }
  }
}

/// The patterns that the recommended team is right on, where it is judged.
struct Recommended {
  TeamView team;
  std::vector<std::uint64_t> selection, test;
};

BaselineComparison compare(const RuleChoice& baseline, const Recommended& recommended,
                           const SearchSpace& space) {
  const std::uint64_t seed = space.options().seed;
  const TeamView team = baseline.figures.team.view();
  BaselineComparison comparison{.against = baseline.rule, .team = baseline.figures.team};
  comparison.selection = paired_figures(
      paired_counts(space.selection().contests(), recommended.selection, team), seed);
  if (space.test()) {
    comparison.held_out =
        paired_figures(paired_counts(space.test()->contests(), recommended.test, team), seed);
  }
  const CountedPool& judged = space.test() ? *space.test() : space.selection();
  if (judged.merits()) {
    comparison.merit = merit_figures(judged.merits()->difference(recommended.team, team));
  }
  return comparison;
}

std::vector<BaselineComparison> compare(std::span<const RuleChoice> baselines,
                                        const Team& recommended, const SearchSpace& space) {
  const Recommended known{
      .team = recommended.view(),
      .selection = space.selection().contests().right_patterns(recommended.view()),
      .test = space.test() ? space.test()->contests().right_patterns(recommended.view())
                           : std::vector<std::uint64_t>()};
  std::vector<BaselineComparison> comparisons(baselines.size());
  parallel_for(space.run(), "judging the choice", baselines.size(), 1,
               [&](std::uint64_t i, std::uint64_t, int) {
                 comparisons[i] = compare(baselines[i], known, space);
               });
  return comparisons;
}

Message what_was_held_out(const SearchSpace& space, HeldOut held_out) {
  const std::uint64_t selection = space.selection().pool().sample_count;
  switch (held_out) {
    case HeldOut::share:
      return fmt::format(
          "{} samples were held out at random, each class in its share; the choice was made on the "
          "other {}.",
          space.test()->pool().sample_count, selection);
    case HeldOut::test:
      return fmt::format(
          "The choice was made on {} samples of {} and judged on {} of {}, which took no part in "
          "it.",
          selection, space.selection().pool().name, space.test()->pool().sample_count,
          space.test()->pool().name);
    case HeldOut::folds:
    case HeldOut::half:
    case HeldOut::nothing:
      break;
  }
  return message(
      "Nothing was held out: the choice was made and judged on the same {} samples. {}, {} or {} "
      "show what it is worth on others.",
      selection, option("holdout", 0.5), option("folds", 5), option("test", "POOL2"));
}

/// The verdict, its samples and its words, from held-out figures or the corrected interval.
void settle_verdict(BaselineComparison& comparison, const Team& recommended, double margin) {
  const PairedFigures& figures = comparison.held_out ? *comparison.held_out : comparison.selection;
  comparison.samples = figures.counts.total;
  comparison.samples_needed.reset();
  const bool never_differ = comparison.merit
                                ? comparison.merit->deviation == 0
                                : figures.counts.only_first + figures.counts.only_second == 0;
  if (never_differ && comparison.team == recommended) {
    comparison.verdict = Verdict::as_good;
    comparison.says = "the same team";
    return;
  }
  comparison.verdict = comparison.merit ? verdict_of(comparison.interval(), margin)
                                        : verdict_of(figures.counts, comparison.interval(), margin);
  switch (comparison.verdict) {
    case Verdict::better:
      comparison.says = "better";
      return;
    case Verdict::as_good:
      comparison.says = "as good";
      return;
    case Verdict::worse:
      comparison.says = "worse";
      return;
    case Verdict::cannot_tell:
      break;
  }
  comparison.samples_needed =
      comparison.merit ? samples_needed(comparison.merit->difference, comparison.merit->deviation,
                                        comparison.samples, margin)
                       : samples_needed(figures.counts, margin);
  comparison.says = fmt::format("cannot tell on {} samples, about {} would be needed",
                                comparison.samples, *comparison.samples_needed);
}

}  // namespace

AccuracyFigures accuracy_figures(std::uint64_t correct, std::uint64_t samples) {
  return {.correct = correct, .samples = samples, .interval = wilson_interval(correct, samples)};
}

PairedFigures paired_figures(const PairedCounts& counts, std::uint64_t seed) {
  return {.counts = counts,
          .interval = paired_bootstrap_interval(counts, seed),
          .p_value = mcnemar_p_value(counts)};
}

MeritFigures merit_figures(const PairedValues& values) {
  return {.difference = values.difference(),
          .deviation = values.deviation(),
          .interval = normal_interval(values.difference(), values.deviation(), values.total)};
}

std::vector<RuleChoice> choices_of(const Study& study) {
  std::vector<RuleChoice> choices;
  if (study.recommended) choices.push_back({JudgedRule::recommended, study.recommended->figures});
  choices.push_back({JudgedRule::entire_ensemble, study.reference});
  choices.push_back({JudgedRule::best_single, study.baselines.best_single});
  if (!study.baselines.most_accurate.team.empty()) {
    choices.push_back({JudgedRule::most_accurate, study.baselines.most_accurate});
  }
  return choices;
}

Trust trust_of(SearchSpace& space, Searches& found, const Study& study) {
  Trust trust;
  if (space.test()) {
    trust.held_out = space.options().holdout ? HeldOut::share : HeldOut::test;
  }
  trust.says = what_was_held_out(space, trust.held_out);
  const std::vector<RuleChoice> choices = choices_of(study);
  for (const RuleChoice& choice : choices) trust.teams.push_back(side_by_side(choice, space));
  if (study.recommended) {
    const std::span<const RuleChoice> baselines = std::span(choices).subspan(1);
    trust.comparisons = compare(baselines, study.recommended->figures.team, space);
  }
  if (study.recommended) correct_for_choice(trust, study, space, found);
  if (space.options().folds) judge_by_folds(trust, space);
  if (study.recommended && is_judged_on_half(space, study.desired_size)) {
    judge_by_half(trust, space, study);
  }
  for (BaselineComparison& comparison : trust.comparisons) {
    settle_verdict(comparison, study.recommended->figures.team, space.options().margin);
  }
  if (space.options().stability > 0) trust.stability = stability_of(space, found, study);
  trust.pruning = check_pruning(space, found);
  return trust;
}

}  // namespace hqe
