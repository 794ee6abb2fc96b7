// SPDX-License-Identifier: MIT
/// A team's shares at one temperature, over all samples. Private to calibration/.

#pragma once

#include "hqe/base/run.h"
#include "hqe/calibration/fit.h"
#include "hqe/calibration/log_shares.h"
#include "hqe/calibration/serving.h"

namespace hqe {

/// Log-loss, Brier score and bins at a temperature. The same bits for any number of threads.
[[nodiscard]] CalibrationFigures figures_at(const LogShares& shares, double temperature,
                                            const Run& run);

/// How the mean log-loss changes with the inverse of the temperature, there.
[[nodiscard]] Slope slope_at(const LogShares& shares, double inverse, const Run& run);

/// The same within its error, which is far above what rounding does to either; not the same bits
/// everywhere.
[[nodiscard]] RoughSlope rough_slope_at(const LogShares& shares, double inverse, const Run& run);

/// Both at a temperature of 1, from the same exponentials.
struct Untempered {
  Slope slope;
  CalibrationFigures figures;
};
[[nodiscard]] Untempered untempered(const LogShares& shares, const Run& run);

}  // namespace hqe
