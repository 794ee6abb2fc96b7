// SPDX-License-Identifier: MIT
#include "hqe/search/counted_teams.h"

#include <utility>

#include "hqe/ensemble/team_columns.h"

namespace hqe {
namespace {

std::size_t mask_of(TeamView team) {
  std::size_t mask = 0;
  for (const ModelId model : team) mask |= std::size_t{1} << model;
  return mask;
}

}  // namespace

void CountedTeams::learn_every_team() {
  if (every_team_.empty()) every_team_ = contests_.correct_counts_of_all_teams(run_);
}

void CountedTeams::learn(const std::shared_ptr<const TeamList>& teams) {
  if (!every_team_.empty() || teams->empty()) return;
  const auto count = [&](const TeamList& list) {
    const std::vector<std::uint64_t> counts = contests_.correct_counts(list, run_);
    return std::vector<std::uint32_t>(counts.begin(), counts.end());
  };
  const auto [place, is_new] = known_.try_emplace(teams->team_size());
  Known& known = place->second;
  if (is_new) {
    known = {.teams = teams,
             .counts = std::make_shared<const std::vector<std::uint32_t>>(count(*teams))};
    return;
  }
  if (known.teams == teams) return;
  const TeamList missing = difference_of(*teams, *known.teams);
  if (missing.empty()) return;
  const std::vector<std::uint32_t> counts = count(missing);
  const auto teams_of_both = std::make_shared<const TeamList>(union_of(*known.teams, missing));
  std::vector<std::uint32_t> counts_of_both;
  counts_of_both.reserve(teams_of_both->size());
  std::size_t old = 0;
  std::size_t fresh = 0;
  for (std::size_t i = 0; i < teams_of_both->size(); ++i) {
    const bool is_old =
        old < known.teams->size() &&
        (fresh == missing.size() || team_before((*known.teams)[old], missing[fresh]));
    counts_of_both.push_back(is_old ? (*known.counts)[old++] : counts[fresh++]);
  }
  known = {.teams = teams_of_both,
           .counts = std::make_shared<const std::vector<std::uint32_t>>(std::move(counts_of_both))};
}

std::vector<std::uint32_t> CountedTeams::counts_of(const TeamList& teams) const {
  if (teams.empty()) return {};
  if (every_team_.empty()) {
    const Known& known = known_.at(teams.team_size());
    return values_of(teams, *known.teams, *known.counts);
  }
  std::vector<std::uint32_t> counts;
  counts.reserve(teams.size());
  for (std::size_t i = 0; i < teams.size(); ++i) counts.push_back(every_team_[mask_of(teams[i])]);
  return counts;
}

CountedTeams::SharedCounts CountedTeams::shared_counts_of(const TeamList& teams) const {
  const auto known = known_.find(teams.team_size());
  if (every_team_.empty() && known != known_.end() && known->second.teams.get() == &teams) {
    return known->second.counts;
  }
  return std::make_shared<const std::vector<std::uint32_t>>(counts_of(teams));
}

std::vector<std::uint64_t> CountedTeams::of(const TeamList& teams) const {
  const std::vector<std::uint32_t> counts = counts_of(teams);
  return {counts.begin(), counts.end()};
}

std::uint64_t CountedTeams::of(TeamView team) const {
  if (!every_team_.empty()) return every_team_[mask_of(team)];
  const auto known = known_.find(static_cast<int>(team.size()));
  if (known != known_.end()) {
    const TeamList& teams = *known->second.teams;
    const std::size_t place = place_of(team, teams);
    if (place < teams.size()) return (*known->second.counts)[place];
  }
  return contests_.correct_count(team);
}

}  // namespace hqe
