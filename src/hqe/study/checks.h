// SPDX-License-Identifier: MIT
/// Measured, not assumed: how stable a choice is, and whether pruning was sound.

#pragma once

#include <vector>

#include "hqe/study/prepare.h"
#include "hqe/study/study.h"
#include "hqe/study/tuning.h"

namespace hqe {

/// Chooses again on options.stability resamples of the selection pool, drawn with replacement.
/// Costs as many studies; not measured where one of them scores millions of teams.
[[nodiscard]] Stability stability_of(const Prepared& prepared, const Searches& found,
                                     const Study& study);

/// Scores every team of each size up to the desired one and looks at what was pruned and cut. Not
/// measured where a size has more than max_evaluate teams, or eligibility limits the teams.
/// Requires: the population of the desired size was counted, where it can be.
[[nodiscard]] std::vector<PruningCheck> check_pruning(const Prepared& prepared,
                                                      const Searches& found);

}  // namespace hqe
