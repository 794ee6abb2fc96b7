// SPDX-License-Identifier: MIT
/// Whether pruning was sound: measured, not assumed.

#pragma once

#include <vector>

#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"
#include "hqe/study/trust.h"

namespace hqe {

/// Scores every team of each size up to the desired one and looks at what was pruned and cut. Not
/// measured where a size has more than max_evaluate teams, or eligibility limits the teams.
/// Requires: the population of the desired size was counted, where it can be.
[[nodiscard]] std::vector<PruningCheck> check_pruning(const SearchSpace& space,
                                                      const Searches& found);

}  // namespace hqe
