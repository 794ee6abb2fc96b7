// SPDX-License-Identifier: MIT
/// One sample's shares at a temperature.

#pragma once

#include <span>

namespace hqe {

/// Shares p become p_c^(1/T) / sum_j p_j^(1/T), those below 1e-15 taken as 1e-15: by the own exp
/// and log, sums by ascending class, so that every machine gives the same bits.
/// Requires: at least one share, each finite; temperature > 0.
void temper(std::span<double> shares, double temperature);

}  // namespace hqe
