// SPDX-License-Identifier: MIT
/// How far the shares that a team gives its classes can be believed, before and after one
/// temperature: plain data.

#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace hqe {

/// The samples whose largest share lies in one fifteenth of [0, 1].
struct ReliabilityBin {
  std::uint64_t count = 0, correct = 0;
  double confidence = 0;  ///< Mean largest share; 0 where there is no sample.

  /// The share that the team gets right; 0 where there is no sample.
  [[nodiscard]] double accuracy() const {
    return count == 0 ? 0 : static_cast<double>(correct) / static_cast<double>(count);
  }
};

/// Bin b holds the largest shares in (b/15, (b+1)/15]; one within 1e-9 above a border counts as on
/// it, so that rounding moves no sample.
inline constexpr int reliability_bin_count = 15;
using ReliabilityBins = std::array<ReliabilityBin, reliability_bin_count>;

struct CalibrationFigures {
  double log_loss = 0;  ///< Mean of -ln of the share of the true class.
  double brier = 0;     ///< Mean over samples of the sum over classes of (p_c - [c = y])^2.
  double calibration_error = 0;  ///< Expected: mean of |accuracy - confidence| of a sample's bin.
  ReliabilityBins bins;
};

/// The same samples at temperature 1 and at the fitted one.
struct CalibrationEffect {
  std::uint64_t samples = 0;  ///< That the figures rest on.
  CalibrationFigures before, after;
};

/// What serving a team's shares needs, and what it gains.
struct Serving {
  double temperature = 1;
  CalibrationEffect selection;
  std::optional<CalibrationEffect> test;  ///< At the temperature of the selection samples.
};

}  // namespace hqe
