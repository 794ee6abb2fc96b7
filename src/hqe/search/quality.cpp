// SPDX-License-Identifier: MIT
#include "hqe/search/quality.h"

#include <fmt/core.h>

#include <algorithm>

#include "hqe/search/searched_teams.h"

namespace hqe {
namespace {

/// How many of these teams are good, under the merit that was asked for.
std::uint64_t count_good_teams(const CountedTeams& correct, const std::optional<Merits>& merits,
                               const TeamList& teams, const TeamFigures& reference, bool on_test) {
  if (merits) {
    return count_good(merits->of(teams), on_test ? *reference.test_merit : *reference.merit);
  }
  return count_good(correct.of(teams), on_test ? *reference.test_correct : reference.correct);
}

}  // namespace

Population count_population(SearchSpace& space, int first, int last) {
  Population population{.teams = 0, .good = 0};
  if (space.test()) population.test_good = 0;
  for (int size = first; size <= last; ++size) {
    const auto count = eligible_team_count(space.model_count(), size, space.eligibility());
    if (population.teams && count) *population.teams += *count;
    if (!count) population.teams.reset();
    if (!count || *count > space.options().max_evaluate) {
      population.good.reset();
      population.test_good.reset();
      const bool by_budget = !count && space.eligibility().within_budget;
      population.not_computed = fmt::format(
          "not computed: {} teams of size {}",
          count ? std::to_string(*count) : (by_budget ? "too many" : "more than 2^53"), size);
      continue;
    }
    if (!population.good) continue;
    const TeamList teams = eligible_teams(space, size);
    space.learn(teams);
    *population.good += count_good_teams(space.selection().correct(), space.selection().merits(),
                                         teams, space.reference(), false);
    if (space.test()) {
      *population.test_good += count_good_teams(space.test()->correct(), space.test()->merits(),
                                                teams, space.reference(), true);
    }
  }
  return population;
}

std::optional<TeamFigures> best_of_size(const SearchSpace& space, int size) {
  const TeamList teams = eligible_teams(space, size);
  const std::vector<std::uint64_t> counts = space.selection().correct().of(teams);
  if (counts.empty()) return std::nullopt;
  const auto best = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
  return space.figures(Team(teams[best]));
}

Quality quality_of(const CountExtent& correct, std::uint64_t true_positive,
                   const Population& population, std::optional<std::uint64_t> good, int model_count,
                   std::optional<int> team_size) {
  const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  Quality quality{.selected = correct.selected,
                  .good = good,
                  .true_positive = true_positive,
                  .teams_of_size = population.teams,
                  .not_computed = population.not_computed};
  if (correct.selected > 0) {
    quality.precision = ratio(quality.true_positive, quality.selected);
    quality.correct_min = correct.least;
    quality.correct_max = correct.most;
  }
  if (good && *good > 0) quality.recall = ratio(quality.true_positive, *good);
  if (good && population.teams && *population.teams > 0) {
    quality.base_rate = ratio(*good, *population.teams);
  }
  if (team_size) {
    quality.cost_reduction = ratio(static_cast<std::uint64_t>(model_count - *team_size),
                                   static_cast<std::uint64_t>(model_count));
  }
  return quality;
}

void add_quality(Selection& selection, const SearchSpace& space, const Population& population,
                 std::optional<int> team_size) {
  const SelectedTeams& selected = selection.selected;
  const TeamFigures& reference = space.reference();
  const std::uint64_t true_positive = space.selection().merits()
                                          ? count_good(selected.merit, *reference.merit)
                                          : count_good(selected.correct, reference.correct);
  selection.quality = quality_of(extent_of(selected.correct), true_positive, population,
                                 population.good, space.model_count(), team_size);
  if (!space.test()) return;
  const std::uint64_t test_true_positive =
      space.test()->merits() ? count_good(selected.test_merit, *reference.test_merit)
                             : count_good(selected.test_correct, *reference.test_correct);
  selection.test_quality =
      quality_of(extent_of(selected.test_correct), test_true_positive, population,
                 population.test_good, space.model_count(), team_size);
}

}  // namespace hqe
