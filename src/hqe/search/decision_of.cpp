// SPDX-License-Identifier: MIT
#include "hqe/search/decision_of.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "hqe/ensemble/team_columns.h"
#include "hqe/search/searched_teams.h"

namespace hqe {
namespace {

bool counts_size(const SearchSpace& space, int size) {
  const auto count = eligible_team_count(space.model_count(), size, space.eligibility());
  return count && *count <= space.options().max_evaluate;
}

/// The teams of a size that the searches kept.
TeamList found_teams(const Searches& found, int size) {
  TeamList teams(size);
  if (const auto known = found.kept.find(size); known != found.kept.end()) {
    const auto& [list, is_kept] = known->second;
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (is_kept[i]) teams.push_back((*list)[i]);
    }
    return teams;
  }
  for (const Search& search : found.searches) {
    for (const Tier& tier : search.tiers) {
      if (tier.team_size == size) teams = union_of(teams, kept_teams(tier));
    }
  }
  return teams;
}

/// Those of `places` with the shortlist_length highest values, ties to the first, ascending.
template <class Value>
std::vector<std::uint32_t> highest(std::vector<std::uint32_t> places,
                                   const std::vector<Value>& values) {
  if (places.size() <= shortlist_length) return places;
  std::ranges::nth_element(places, places.begin() + shortlist_length,
                           [&](std::uint32_t left, std::uint32_t right) {
                             return std::pair(values[right], left) < std::pair(values[left], right);
                           });
  places.resize(shortlist_length);
  std::ranges::sort(places);
  return places;
}

/// Further behind than this, in binomial deviations of the best count, no half of the samples makes
/// a team one of the best.
constexpr double hopeless_deviations = 3;

/// Requires: the team with the most correct answers is among the places.
void drop_hopeless(std::vector<std::uint32_t>& places, const std::vector<std::uint32_t>& correct,
                   std::uint64_t sample_count) {
  if (places.empty()) return;
  const auto samples = static_cast<double>(sample_count);
  std::uint32_t largest = 0;
  for (const std::uint32_t place : places) largest = std::max(largest, correct[place]);
  const auto most = static_cast<double>(largest);
  std::erase_if(places, [&](std::uint32_t place) {
    const double behind = most - static_cast<double>(correct[place]);
    return samples * behind * behind >
           hopeless_deviations * hopeless_deviations * most * (samples - most);
  });
}

TeamList teams_at(const TeamList& teams, const std::vector<std::uint32_t>& places) {
  TeamList result(teams.team_size());
  for (const std::uint32_t place : places) result.push_back(teams[place]);
  return result;
}

std::vector<std::uint32_t> all_places(const TeamList& teams) {
  std::vector<std::uint32_t> places(teams.size());
  std::iota(places.begin(), places.end(), std::uint32_t{0});
  return places;
}

/// Of the teams of a list at these places. Requires: ascending.
TeamList shortlist_by_counts(SearchSpace& space, const std::shared_ptr<const TeamList>& teams,
                             std::vector<std::uint32_t> places) {
  space.learn_on_selection(teams);
  const auto correct = space.selection().correct().shared_counts_of(*teams);
  places = highest(std::move(places), *correct);
  drop_hopeless(places, *correct, space.selection().pool().sample_count);
  return teams_at(*teams, places);
}

TeamList shortlist(SearchSpace& space, const Searches& found, int size) {
  const bool takes_all = size == 1 || counts_size(space, size);
  const auto known = found.kept.find(size);
  if (!takes_all && known != found.kept.end() && !space.selection().merits()) {
    const auto& [list, is_kept] = known->second;
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < list->size(); ++i) {
      if (is_kept[i]) places.push_back(i);
    }
    return shortlist_by_counts(space, list, std::move(places));
  }
  const auto teams = std::make_shared<const TeamList>(takes_all ? eligible_teams(space, size)
                                                                : found_teams(found, size));
  if (!space.selection().merits()) return shortlist_by_counts(space, teams, all_places(*teams));
  return teams_at(*teams, highest(all_places(*teams), space.selection().merits()->of(*teams)));
}

/// Lets the evidence come from the merit that was asked for.
void set_weighing(DecisionProblem& problem, const SearchSpace& space) {
  const std::uint64_t seed = space.options().seed;
  std::vector<EvidencePart> parts =
      space.selection().merits() ? space.selection().merits()->parts()
                                 : std::vector<EvidencePart>{{space.selection().contests(), 1.0}};
  if (parts.empty()) {
    problem.weigh = [&space, seed](Evidence& evidence, const TeamTable& teams) {
      space.selection().merits()->weigh(evidence, teams, seed);
    };
    return;
  }
  const auto source = std::make_shared<const EvidenceSource>(std::move(parts), seed);
  const Run& run = space.run();
  problem.weigh = [source, &run](Evidence& evidence, const TeamTable& teams) {
    source->add(evidence, teams, run);
  };
  if (!source->has_sureness()) return;
  problem.weigh_sureness = [source, &run](Evidence& evidence, std::span<const std::size_t> places) {
    source->add_sureness(evidence, places, run);
  };
}

}  // namespace

std::optional<Decision> decision_of(SearchSpace& space, Searches& found) {
  DecisionProblem problem{.model_count = space.model_count(),
                          .largest_size = found.desired_size,
                          .eligibility = space.eligibility(),
                          .seed = space.options().seed};
  set_weighing(problem, space);
  problem.shortlists = shortlists_of(space, found);
  return decide(problem);
}

const std::vector<TeamList>& shortlists_of(SearchSpace& space, Searches& found) {
  if (found.shortlists) return *found.shortlists;
  std::vector<TeamList> shortlists;
  for (int size = 1; size <= found.desired_size; ++size) {
    shortlists.push_back(shortlist(space, found, size));
  }
  return found.shortlists.emplace(std::move(shortlists));
}

bool counts_every_team(const SearchSpace& space, int desired_size) {
  for (int size = 2; size <= desired_size; ++size) {
    if (!counts_size(space, size)) return false;
  }
  return true;
}

}  // namespace hqe
