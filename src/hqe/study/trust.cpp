// SPDX-License-Identifier: MIT
#include "hqe/study/trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "hqe/study/checks.h"
#include "hqe/study/decision_of.h"
#include "hqe/study/held_out.h"
#include "hqe/study/outcomes.h"
#include "hqe/study/trust_of.h"

namespace hqe {
namespace {

constexpr std::array held_out_words{
    std::pair{HeldOut::nothing, std::string_view("nothing")},
    std::pair{HeldOut::half, std::string_view("half")},
    std::pair{HeldOut::share, std::string_view("share")},
    std::pair{HeldOut::folds, std::string_view("folds")},
    std::pair{HeldOut::test, std::string_view("test")},
};

constexpr int simultaneous_resamples = 1000;
/// The evidence looks at every team; those far behind change nothing, and each costs a thousand
/// resamples.
constexpr std::size_t most_candidates_to_correct_for = 32;
/// All rows of the correction together, in words: 64 MiB.
constexpr std::size_t most_words = std::size_t{1} << 23;

struct Baseline {
  std::string name;
  TeamFigures figures;
};

std::vector<Baseline> baselines_of(const Study& study) {
  std::vector<Baseline> baselines{{"entire_ensemble", study.reference},
                                  {"best_single", study.baselines.best_single}};
  if (!study.baselines.most_accurate.team.empty()) {
    baselines.push_back({"most_accurate", study.baselines.most_accurate});
  }
  return baselines;
}

SideBySide side_by_side(const std::string& name, const TeamFigures& figures,
                        const Prepared& prepared) {
  SideBySide row{
      .name = name,
      .team = figures.team,
      .selection = accuracy_figures(figures.correct, prepared.measured.pool.sample_count)};
  if (figures.test_correct) {
    row.held_out = accuracy_figures(*figures.test_correct, prepared.test->pool.sample_count);
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
TeamTable teams_looked_at(const Study& study, Prepared& prepared, const Searches& found,
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
  for (const TeamList& shortlist : shortlists_of(prepared, found)) {
    for (std::size_t i = 0; i < shortlist.size(); ++i) {
      entries.push_back({prepared.correct.of(shortlist[i]), Team(shortlist[i])});
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
std::uint64_t teams_to_choose_from(const Study& study, const Prepared& prepared) {
  std::uint64_t count = 0;
  if (study.options.choose == Choose::consensus) {
    for (const SelectedTeams* list : chosen_from(study)) count += list->size();
    return count;
  }
  for (int size = 1; size <= study.desired_size; ++size) {
    count += eligible_team_count(prepared.model_count(), size, prepared.eligibility()).value_or(0);
  }
  return count;
}

/// Fills in the corrected intervals.
void correct_for_choice(Trust& trust, const Study& study, Prepared& prepared,
                        const Searches& found) {
  const Contests& contests = prepared.correct.contests();
  const std::size_t words = (contests.summary().contested + 63) / 64;
  const std::size_t most = std::clamp<std::size_t>(most_words / std::max<std::size_t>(words, 1), 1,
                                                   most_teams_to_correct_for);
  const TeamTable teams = teams_looked_at(study, prepared, found, most);
  TeamTable baselines;
  for (const BaselineComparison& comparison : trust.comparisons) {
    baselines.push_back(comparison.team.view());
  }
  const SimultaneousQuantiles quantiles = simultaneous_quantiles(
      outcome_rows(contests, teams, prepared.run), outcome_rows(contests, baselines, prepared.run),
      prepared.options.seed, simultaneous_resamples, prepared.run);
  const std::uint64_t samples = prepared.measured.pool.sample_count;
  trust.chosen = ChosenInterval{
      .interval = wilson_interval(study.recommended->figures.correct, samples, quantiles.accuracy),
      .quantile = quantiles.accuracy,
      .among = teams.size(),
      .kept = std::max<std::uint64_t>(teams_to_choose_from(study, prepared), teams.size()),
      .resamples = simultaneous_resamples};
  for (BaselineComparison& comparison : trust.comparisons) {
    comparison.corrected = normal_interval(comparison.selection.counts, quantiles.difference);
  }
}

BaselineComparison compare(const Baseline& baseline, const Team& recommended,
                           const Prepared& prepared) {
  const std::uint64_t seed = prepared.options.seed;
  const TeamView team = baseline.figures.team.view();
  BaselineComparison comparison{.against = baseline.name, .team = baseline.figures.team};
  comparison.selection =
      paired_figures(paired_counts(prepared.correct.contests(), recommended.view(), team), seed);
  if (prepared.test) {
    comparison.held_out =
        paired_figures(paired_counts(*prepared.test->contests, recommended.view(), team), seed);
  }
  return comparison;
}

std::string what_was_held_out(const Prepared& prepared, HeldOut held_out) {
  const std::uint64_t selection = prepared.measured.pool.sample_count;
  switch (held_out) {
    case HeldOut::share:
      return fmt::format(
          "{} samples were held out at random, each class in its share; the choice was made on the "
          "other {}.",
          prepared.test->pool.sample_count, selection);
    case HeldOut::test:
      return fmt::format(
          "The choice was made on {} samples of {} and judged on {} of {}, which took no part in "
          "it.",
          selection, prepared.measured.pool.name, prepared.test->pool.sample_count,
          prepared.test->pool.name);
    case HeldOut::folds:
    case HeldOut::half:
    case HeldOut::nothing:
      break;
  }
  return fmt::format(
      "Nothing was held out: the choice was made and judged on the same {} samples. --holdout 0.5, "
      "--folds 5 or --test POOL2 show what it is worth on others.",
      selection);
}

}  // namespace

std::string_view to_string(HeldOut held_out) {
  return std::ranges::find(held_out_words, held_out, &std::pair<HeldOut, std::string_view>::first)
      ->second;
}

std::optional<HeldOut> parse_held_out(std::string_view word) {
  for (const auto& [held_out, name] : held_out_words) {
    if (name == word) return held_out;
  }
  return std::nullopt;
}

std::string baseline_title(std::string_view against, int size) {
  if (against == "entire_ensemble") return "the entire ensemble";
  if (against == "best_single") return "the best single model";
  return fmt::format("the {} most accurate models", size);
}

std::optional<double> SideBySide::optimism() const {
  if (!held_out) return std::nullopt;
  return selection.accuracy() - held_out->accuracy();
}

AccuracyFigures accuracy_figures(std::uint64_t correct, std::uint64_t samples) {
  return {.correct = correct, .samples = samples, .interval = wilson_interval(correct, samples)};
}

PairedFigures paired_figures(const PairedCounts& counts, std::uint64_t seed) {
  return {.counts = counts,
          .interval = paired_bootstrap_interval(counts, seed),
          .p_value = mcnemar_p_value(counts)};
}

void settle_verdict(BaselineComparison& comparison, const Team& recommended, double margin) {
  const PairedFigures& figures = comparison.held_out ? *comparison.held_out : comparison.selection;
  const Interval& interval = comparison.held_out ? figures.interval : comparison.corrected;
  comparison.samples = figures.counts.total;
  comparison.samples_needed.reset();
  const bool never_differ = figures.counts.only_first + figures.counts.only_second == 0;
  if (never_differ && comparison.team == recommended) {
    comparison.verdict = Verdict::as_good;
    comparison.says = "the same team";
    return;
  }
  comparison.verdict = verdict_of(figures.counts, interval, margin);
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
  comparison.samples_needed = samples_needed(figures.counts, margin);
  comparison.says = fmt::format("cannot tell on {} samples, about {} would be needed",
                                comparison.samples, *comparison.samples_needed);
}

Trust trust_of(Prepared& prepared, const Searches& found, const Study& study) {
  Trust trust;
  if (prepared.test) {
    trust.held_out = prepared.options.holdout ? HeldOut::share : HeldOut::test;
  }
  trust.says = what_was_held_out(prepared, trust.held_out);
  if (study.recommended) {
    trust.teams.push_back(side_by_side("recommended", study.recommended->figures, prepared));
  }
  for (const Baseline& baseline : baselines_of(study)) {
    trust.teams.push_back(side_by_side(baseline.name, baseline.figures, prepared));
    if (study.recommended) {
      trust.comparisons.push_back(compare(baseline, study.recommended->figures.team, prepared));
    }
  }
  if (study.recommended) correct_for_choice(trust, study, prepared, found);
  if (prepared.options.folds) judge_by_folds(trust, prepared);
  if (study.recommended && is_judged_on_half(prepared, study.desired_size)) {
    judge_by_half(trust, prepared, study);
  }
  for (BaselineComparison& comparison : trust.comparisons) {
    settle_verdict(comparison, study.recommended->figures.team, prepared.options.margin);
  }
  if (prepared.options.stability > 0) trust.stability = stability_of(prepared, found, study);
  trust.pruning = check_pruning(prepared, found);
  return trust;
}

}  // namespace hqe
