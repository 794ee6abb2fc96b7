// SPDX-License-Identifier: MIT
/// Mean ranks, and Holm's adjustment of many tests.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hqe {

/// Where each of some values stands among all, lowest first, ranks from 1 on; equals share the mean
/// of their ranks.
struct Ranking {
  std::vector<std::uint32_t> order;        ///< Places of the values; of equals, as they stand.
  std::vector<std::uint32_t> twice_ranks;  ///< Twice the mean rank of each value, a whole number.
};
/// O(n) from some thousands on; 16 bytes a value beside the result. Requires: no NaN, fewer than
/// 2^31 values.
[[nodiscard]] Ranking ranking_of(std::span<const double> values);
[[nodiscard]] Ranking ranking_of(std::span<const std::uint64_t> values);
[[nodiscard]] Ranking ranking_of(std::span<const std::uint32_t> values);

/// Rank of each value, 1 = largest; equals share their mean rank.
[[nodiscard]] std::vector<double> ranks_of(const std::vector<double>& values);

/// Holm's step-down adjustment, in the order given.
[[nodiscard]] std::vector<double> holm_adjusted(const std::vector<double>& p_values);

/// By how much Holm's procedure multiplies each p-value before it is compared with `level`: as it
/// stood when the p-value was rejected, or when the procedure stopped. A p-value times its factor
/// is below `level` exactly where the adjusted one is.
[[nodiscard]] std::vector<double> holm_factors(const std::vector<double>& p_values, double level);

}  // namespace hqe
