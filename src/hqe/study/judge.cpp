// SPDX-License-Identifier: MIT
#include "hqe/study/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "hqe/ensemble/ens_set.h"
#include "hqe/study/team_columns.h"

namespace hqe {
namespace {

/// How many of these teams are good, under the merit that was asked for.
std::uint64_t count_good_teams(const CorrectCounts& correct, const std::optional<Merits>& merits,
                               const TeamList& teams, const TeamFigures& reference, bool on_test) {
  if (merits) {
    return count_good(merits->of(teams), on_test ? *reference.test_merit : *reference.merit);
  }
  return count_good(correct.of(teams), on_test ? *reference.test_correct : reference.correct);
}

}  // namespace

TeamList eligible_teams(const Prepared& prepared, int size) {
  if (!prepared.eligibility().is_limited()) return EnsSet(prepared.model_count(), size).list();
  TeamList teams(size);
  for_each_eligible_team(prepared.model_count(), size, prepared.eligibility(),
                         [&](TeamView team) { teams.push_back(team); });
  return teams;
}

Population count_population(Prepared& prepared, int first, int last) {
  Population population{.teams = 0, .good = 0};
  if (prepared.test) population.test_good = 0;
  for (int size = first; size <= last; ++size) {
    const auto count = eligible_team_count(prepared.model_count(), size, prepared.eligibility());
    if (population.teams && count) *population.teams += *count;
    if (!count) population.teams.reset();
    if (!count || *count > prepared.options.max_evaluate) {
      population.good.reset();
      population.test_good.reset();
      const bool by_budget = !count && prepared.eligibility().within_budget;
      population.not_computed = fmt::format(
          "not computed: {} teams of size {}",
          count ? fmt::to_string(*count) : (by_budget ? "too many" : "more than 2^53"), size);
      continue;
    }
    if (!population.good) continue;
    const TeamList teams = eligible_teams(prepared, size);
    prepared.learn(teams);
    *population.good +=
        count_good_teams(prepared.correct, prepared.merits, teams, prepared.reference, false);
    if (prepared.test) {
      *population.test_good += count_good_teams(*prepared.test_correct, prepared.test_merits, teams,
                                                prepared.reference, true);
    }
  }
  return population;
}

std::optional<TeamFigures> best_of_size(const Prepared& prepared, int size) {
  const TeamList teams = eligible_teams(prepared, size);
  const std::vector<std::uint64_t> counts = prepared.correct.of(teams);
  if (counts.empty()) return std::nullopt;
  const auto best = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
  return prepared.figures(Team(teams[best]));
}

Quality quality_of(std::span<const std::uint64_t> correct, std::uint64_t true_positive,
                   const Population& population, std::optional<std::uint64_t> good, int model_count,
                   std::optional<int> team_size) {
  const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  Quality quality{.selected = correct.size(),
                  .good = good,
                  .true_positive = true_positive,
                  .teams_of_size = population.teams,
                  .not_computed = population.not_computed};
  if (!correct.empty()) {
    quality.precision = ratio(quality.true_positive, quality.selected);
    const auto [least, most] = std::ranges::minmax_element(correct);
    quality.correct_min = *least;
    quality.correct_max = *most;
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

void judge(Selection& selection, const Prepared& prepared, const Population& population,
           std::optional<int> team_size) {
  const SelectedTeams& selected = selection.selected;
  const TeamFigures& reference = prepared.reference;
  const std::uint64_t true_positive = prepared.merits
                                          ? count_good(selected.merit, *reference.merit)
                                          : count_good(selected.correct, reference.correct);
  selection.quality = quality_of(selected.correct, true_positive, population, population.good,
                                 prepared.model_count(), team_size);
  if (!prepared.test) return;
  const std::uint64_t test_true_positive =
      prepared.test_merits ? count_good(selected.test_merit, *reference.test_merit)
                           : count_good(selected.test_correct, *reference.test_correct);
  selection.test_quality = quality_of(selected.test_correct, test_true_positive, population,
                                      population.test_good, prepared.model_count(), team_size);
}

namespace {

/// All models, most accurate first; ties: lower id.
std::vector<ModelId> by_accuracy(const Prepared& prepared) {
  std::vector<ModelId> models(static_cast<std::size_t>(prepared.model_count()));
  std::iota(models.begin(), models.end(), ModelId{0});
  std::ranges::stable_sort(models, std::ranges::greater{},
                           [&](ModelId model) { return prepared.measured.counts.correct(model); });
  return models;
}

}  // namespace

Baselines baselines_of(const Prepared& prepared, int size, const Population& population_of_size) {
  Baselines baselines;
  baselines.best_single = prepared.figures(Team{by_accuracy(prepared).front()});
  const Team accurate = take_in_order(by_accuracy(prepared), size, prepared.eligibility());
  if (!accurate.empty()) baselines.most_accurate = prepared.figures(accurate);
  if (population_of_size.good) {
    baselines.best_of_size = best_of_size(prepared, size);
  } else {
    baselines.best_of_size_not_computed = population_of_size.not_computed;
  }
  return baselines;
}

bool evaluates_all(const Prepared& prepared, const Tier& tier) {
  return tier.candidates.size() <= prepared.options.max_evaluate;
}

namespace {

/// Teams to learn, each size at once.
class Wanted {
 public:
  void add(const TeamList& teams) {
    if (teams.empty()) return;
    const auto [place, is_new] = lists_.try_emplace(teams.team_size(), teams);
    if (!is_new) place->second = union_of(place->second, teams);
  }
  void learn(Prepared& prepared) const {
    for (const auto& [size, teams] : lists_) prepared.learn(teams);
  }

 private:
  std::map<int, TeamList> lists_;
};

}  // namespace

void learn_searched_teams(Prepared& prepared, const std::vector<Search>& searches) {
  Wanted wanted;
  for (const Search& search : searches) {
    const std::vector<const Tier*> selecting = search.selecting_tiers();
    for (const Tier& tier : search.tiers) {
      if (evaluates_all(prepared, tier)) {
        wanted.add(tier.candidates);
      } else if (prepared.options.detail ||
                 std::ranges::find(selecting, &tier) != selecting.end()) {
        wanted.add(kept_teams(tier));
      }
    }
  }
  wanted.learn(prepared);
}

void learn_selected_teams(Prepared& prepared, const std::vector<Search>& searches) {
  Wanted wanted;
  for (const Search& search : searches) {
    for (const Tier* tier : search.selecting_tiers()) wanted.add(kept_teams(*tier));
  }
  wanted.learn(prepared);
}

}  // namespace hqe
