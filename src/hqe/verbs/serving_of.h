// SPDX-License-Identifier: MIT
/// What serving a team needs beyond its members.

#pragma once

#include <optional>

#include "hqe/calibration/serving.h"
#include "hqe/search/search_space.h"
#include "hqe/serving/early_exit.h"

namespace hqe {

/// The team's temperature, fitted on the selection samples, and what it changes there and on the
/// test pool. Nothing where the vote gives classes no shares.
[[nodiscard]] std::optional<Serving> serving_of(const SearchSpace& space, const Team& team,
                                                const Run& run);

/// In which order to run the team, chosen on the selection samples and judged on the test pool, or
/// by halves where there is none. Large pools are judged by evenly spaced samples. Nothing where
/// scores vote that a digest does not keep.
[[nodiscard]] std::optional<EarlyExit> early_exit_of(const SearchSpace& space, const Team& team,
                                                     const Run& run);

}  // namespace hqe
