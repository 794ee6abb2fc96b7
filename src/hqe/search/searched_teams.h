// SPDX-License-Identifier: MIT
/// Which teams a study looks at: all that are eligible, or those that its searches meet.

#pragma once

#include <vector>

#include "hqe/search/search.h"
#include "hqe/search/search_space.h"

namespace hqe {

/// The eligible teams of a size, in team order. Enumerates.
[[nodiscard]] TeamList eligible_teams(const SearchSpace& space, int size);

/// What `options.max_evaluate` allows to evaluate of a tier: its candidates, or only what was kept.
[[nodiscard]] bool evaluates_all(const SearchSpace& space, const Tier& tier);

/// Learns the counts of every team that the study will speak of, each size at once. `kept`: of
/// each size that the searches select from, with all candidates of tiers that are evaluated.
void learn_searched_teams(SearchSpace& space, const std::vector<Search>& searches,
                          const std::vector<KeptTeams>& kept);

}  // namespace hqe
