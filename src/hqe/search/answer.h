// SPDX-License-Identifier: MIT
/// The part of a study that is an answer: what was selected, how good it is, what to take.

#pragma once

#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"
#include "hqe/study/study.h"

namespace hqe {

/// Selections, consensus, baselines and recommendation, judged on the pools of `space`, and how
/// well scores foretold accuracy. Leaves errors, trust, warnings and detail to the caller. Lets
/// tiers of which nobody will ask for more than what was kept forget their teams.
[[nodiscard]] Study answer_of(SearchSpace& space, Searches& found);

/// The same without what judging needs every team for: no quality of selections, no best team of
/// the size. For a choice that is made again, where only its outcome is looked at.
[[nodiscard]] Study choice_of(SearchSpace& space, Searches found);

}  // namespace hqe
