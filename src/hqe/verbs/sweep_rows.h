// SPDX-License-Identifier: MIT
/// The settings of a sweep on a pool that was already read.

#pragma once

#include <vector>

#include "hqe/search/search_space.h"
#include "hqe/study/study.h"

namespace hqe {

/// One row a size, beta and metric (and one for their consensus), in that order. Searches of
/// neighbouring betas share what they have in common.
/// Requires: sizes and betas ascending, distinct, in range and not empty.
[[nodiscard]] std::vector<SweepRow> sweep_rows(SearchSpace& space, const std::vector<int>& sizes,
                                               const std::vector<double>& betas);

/// The settings that a report draws: the paper's betas, sizes up to one above the desired. Only
/// where a tier is small enough for the whole sweep to be a matter of moments.
[[nodiscard]] std::vector<SweepRow> sweep_around(SearchSpace& space, int size);

}  // namespace hqe
