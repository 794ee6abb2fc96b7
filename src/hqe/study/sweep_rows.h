// SPDX-License-Identifier: MIT
/// The settings of a sweep on a pool that was already read.

#pragma once

#include <vector>

#include "hqe/study/prepare.h"
#include "hqe/study/study.h"

namespace hqe {

/// One row a size, beta and metric (and one for their consensus), in that order. Searches of
/// neighbouring betas share what they have in common.
/// Requires: sizes and betas ascending, distinct, in range and not empty.
[[nodiscard]] std::vector<SweepRow> sweep_rows(Prepared& prepared, const std::vector<int>& sizes,
                                               const std::vector<double>& betas);

}  // namespace hqe
