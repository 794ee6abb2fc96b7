// SPDX-License-Identifier: MIT
/// Puts the question what to ship, with everything that was counted, to the rule that answers it.

#pragma once

#include <optional>
#include <vector>

#include "hqe/decision/decide.h"
#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"

namespace hqe {

/// The decision on the selection samples among the eligible teams of up to the desired size and the
/// entire ensemble, by the merit that was asked for. Learns the counts of every team of a size that
/// has at most max_evaluate of them; of larger sizes only the teams that the searches kept are
/// looked at. Nothing where no team is allowed.
[[nodiscard]] std::optional<Decision> decision_of(SearchSpace& space, Searches& found);

/// For each size up to the desired one the teams that the decision takes a closer look at. Held by
/// `found` from the first time on.
[[nodiscard]] const std::vector<TeamList>& shortlists_of(SearchSpace& space, Searches& found);

/// True where every eligible team of up to the desired size may be counted.
[[nodiscard]] bool counts_every_team(const SearchSpace& space, int desired_size);

}  // namespace hqe
