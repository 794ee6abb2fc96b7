// SPDX-License-Identifier: MIT
/// Ranks of methods over splits, and Holm's adjustment of many tests.

#pragma once

#include <vector>

namespace hqe {

/// Rank of each value, 1 = largest; equals share their mean rank.
[[nodiscard]] std::vector<double> ranks_of(const std::vector<double>& values);

/// Holm's step-down adjustment, in the order given.
[[nodiscard]] std::vector<double> holm_adjusted(const std::vector<double>& p_values);

/// By how much Holm's procedure multiplies each p-value before it is compared with `level`: as it
/// stood when the p-value was rejected, or when the procedure stopped. A p-value times its factor
/// is below `level` exactly where the adjusted one is.
[[nodiscard]] std::vector<double> holm_factors(const std::vector<double>& p_values, double level);

}  // namespace hqe
