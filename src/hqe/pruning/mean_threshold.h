// SPDX-License-Identifier: MIT
/// Mean threshold pruning: keep what scores above the mean.

#pragma once

#include <span>
#include <vector>

namespace hqe {

struct MeanThreshold {
  double threshold = 0;    ///< The mean of all scores.
  std::vector<bool> kept;  ///< score > mean + 1e-12, one a score.
};

[[nodiscard]] MeanThreshold prune_by_mean_threshold(std::span<const double> scores);

}  // namespace hqe
