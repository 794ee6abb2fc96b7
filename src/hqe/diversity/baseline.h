// SPDX-License-Identifier: MIT
/// Baseline diversity Q(T): the same metrics on all samples.

#pragma once

#include <vector>

#include "hqe/base/run.h"
#include "hqe/diversity/metric.h"
#include "hqe/ensemble/team.h"
#include "hqe/failures/counts.h"
#include "hqe/failures/failure_bits.h"

namespace hqe {

/// Q(T) of each team. `bits` is needed where needs_failure_bits(). Requires: !is_focal(metric), S
/// >= 2.
[[nodiscard]] std::vector<double> baseline_scores(const Counts& counts, const FailureBits* bits,
                                                  Metric metric, const TeamList& teams,
                                                  const Run& run);

/// True for the metrics that need the histogram of failing members.
[[nodiscard]] bool needs_failure_bits(Metric metric);

}  // namespace hqe
