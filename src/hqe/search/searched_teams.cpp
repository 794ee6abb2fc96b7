// SPDX-License-Identifier: MIT
#include "hqe/search/searched_teams.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "hqe/ensemble/ens_set.h"
#include "hqe/ensemble/team_columns.h"

namespace hqe {
namespace {

/// Teams to learn, each size at once.
class Wanted {
 public:
  void add(std::shared_ptr<const TeamList> teams) {
    if (teams->empty()) return;
    const auto [place, is_new] = lists_.try_emplace(teams->team_size(), teams);
    if (is_new || place->second == teams || *place->second == *teams) return;
    place->second = std::make_shared<const TeamList>(union_of(*place->second, *teams));
  }
  void add(TeamList teams) { add(std::make_shared<const TeamList>(std::move(teams))); }
  void learn(SearchSpace& space) const {
    for (const auto& [size, teams] : lists_) space.learn(teams);
  }

 private:
  std::map<int, std::shared_ptr<const TeamList>> lists_;
};

}  // namespace

TeamList eligible_teams(const SearchSpace& space, int size) {
  if (!space.eligibility().is_limited()) return EnsSet(space.model_count(), size).list();
  TeamList teams(size);
  for_each_eligible_team(space.model_count(), size, space.eligibility(),
                         [&](TeamView team) { teams.push_back(team); });
  return teams;
}

bool evaluates_all(const SearchSpace& space, const Tier& tier) {
  return tier.candidate_count() <= space.options().max_evaluate;
}

void learn_searched_teams(SearchSpace& space, const std::vector<Search>& searches,
                          const std::vector<KeptTeams>& kept) {
  Wanted wanted;
  for (const Search& search : searches) {
    const std::vector<const Tier*> selecting = search.selecting_tiers();
    for (const Tier& tier : search.tiers) {
      const auto place = std::ranges::find(selecting, &tier);
      if (place != selecting.end()) {
        wanted.add(kept[static_cast<std::size_t>(place - selecting.begin())].teams);
      } else if (evaluates_all(space, tier)) {
        wanted.add(tier.candidates);
      } else if (space.options().detail) {
        wanted.add(kept_teams(tier));
      }
    }
  }
  wanted.learn(space);
}

}  // namespace hqe
