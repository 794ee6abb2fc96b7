// SPDX-License-Identifier: MIT
/// Temperature and calibration of a soft vote, in plain loops.

#pragma once

#include <vector>

#include "tests/reference/pool.h"

namespace hqe::reference {

/// [sample][class]: the members' mean shares with one weight a model, to the power 1/T and divided
/// by their sum; shares below 1e-15 are taken as 1e-15.
[[nodiscard]] std::vector<std::vector<double>> tempered_shares(const ReferencePool& pool,
                                                               const Members& team,
                                                               const std::vector<double>& weights,
                                                               double temperature);

struct Bin {
  int count = 0;
  double confidence = 0, accuracy = 0;  ///< Means; 0 where there is nothing.
};

struct Calibration {
  double log_loss = 0, brier = 0, calibration_error = 0;
  std::vector<Bin> bins;  ///< 15 of equal width, (b/15, (b+1)/15].
};

/// Figures of the shares of all samples.
[[nodiscard]] Calibration judge_shares(const ReferencePool& pool,
                                       const std::vector<std::vector<double>>& shares);

/// The temperature in [1/20, 20] with the lowest log-loss: a grid, and finer grids around its best.
[[nodiscard]] double best_temperature(const ReferencePool& pool, const Members& team,
                                      const std::vector<double>& weights);

}  // namespace hqe::reference
