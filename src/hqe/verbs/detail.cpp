// SPDX-License-Identifier: MIT
#include "hqe/verbs/detail.h"

#include <algorithm>

#include "hqe/pruning/hierarchical.h"
#include "hqe/search/quality.h"
#include "hqe/search/searched_teams.h"

namespace hqe {
namespace {

using ScoredTeams = StudyDetail::ScoredTeams;

/// The teams of a tier that are listed, with their places among the candidates.
std::vector<std::size_t> listed_places(const SearchSpace& space, const Tier& tier) {
  std::vector<std::size_t> places;
  const bool all = evaluates_all(space, tier);
  for (std::size_t i = 0; i < tier.candidates.size(); ++i) {
    if (all || tier.kept[i]) places.push_back(i);
  }
  return places;
}

TeamList teams_at(const Tier& tier, const std::vector<std::size_t>& places) {
  TeamList teams(std::max(1, tier.team_size));
  teams.reserve(places.size());
  for (const std::size_t place : places) teams.push_back(tier.candidates[place]);
  return teams;
}

template <typename Value>
void append(std::vector<Value>& column, const std::vector<Value>& values) {
  column.insert(column.end(), values.begin(), values.end());
}

ScoredTeams scored_teams(const SearchSpace& space, const Search& search) {
  ScoredTeams scored{.metric = std::string(to_string(search.metric))};
  for (const Tier& tier : search.tiers) {
    const std::vector<std::size_t> places = listed_places(space, tier);
    const TeamList teams = teams_at(tier, places);
    scored.teams.append(teams);
    for (const std::size_t place : places) {
      scored.scores.push_back(tier.scores[place]);
      scored.fates.push_back(tier.kept[place] ? StudyDetail::Fate::kept
                                              : StudyDetail::Fate::pruned);
    }
    append(scored.correct, space.selection().correct().of(teams));
    if (space.test()) append(scored.test_correct, space.test()->correct().of(teams));
  }
  return scored;
}

/// The baseline metric's scores of the teams that a focal metric scored.
ScoredTeams baseline_teams(const SearchSpace& space, const Search& search,
                           const ScoredTeams& focal) {
  const Metric metric = baseline_of(search.metric);
  ScoredTeams scored{.metric = std::string(to_string(metric)),
                     .teams = focal.teams,
                     .correct = focal.correct,
                     .test_correct = focal.test_correct};
  for (const Tier& tier : search.tiers) {
    const TeamList teams = teams_at(tier, listed_places(space, tier));
    append(scored.scores, space.scorer().scores(metric, teams));
  }
  return scored;
}

void add_co_failures(StudyDetail& detail, const Counts& counts) {
  const auto models = static_cast<ModelId>(counts.model_count());
  for (ModelId i = 0; i < models; ++i) {
    for (ModelId j = 0; j < models; ++j) detail.co_failures.push_back(counts.co_failures(i, j));
  }
  if (models > most_models_for_focal_table) return;
  for (ModelId f = 0; f < models; ++f) {
    for (ModelId i = 0; i < models; ++i) {
      for (ModelId j = 0; j < models; ++j) {
        detail.focal_co_failures.push_back(counts.co_failures(f, i, j));
      }
    }
  }
}

}  // namespace

StudyDetail detail_of(const SearchSpace& space, const std::vector<Search>& searches,
                      const std::optional<Team>& recommended) {
  StudyDetail detail;
  for (const Search& search : searches) {
    detail.scored.push_back(scored_teams(space, search));
    const Metric baseline = baseline_of(search.metric);
    const bool pruned_too = std::ranges::any_of(
        searches, [&](const Search& other) { return other.metric == baseline; });
    if (pruned_too) continue;
    detail.scored.push_back(baseline_teams(space, search, detail.scored.back()));
  }
  add_co_failures(detail, space.selection().measured().counts);
  if (recommended)
    add_deciding_samples(detail, space.selection().measured(), *recommended, space.run());
  return detail;
}

}  // namespace hqe
