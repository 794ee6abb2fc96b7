// SPDX-License-Identifier: MIT
/// How one team errs: its members with each other, and under disturbance.

#pragma once

#include <optional>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/search/measure.h"
#include "hqe/study/study.h"

namespace hqe {

/// The error correlations of a team. Reads predictions once more where the scan kept no shares.
[[nodiscard]] TeamErrors errors_of(const Measured& measured, const Team& team, const Run& run);

/// Certified radii are those of the soft vote; nothing for the others.
[[nodiscard]] std::optional<Robustness> robustness_of(const Measured& measured, const Team& team,
                                                      const std::vector<double>& radii,
                                                      const Run& run);

}  // namespace hqe
