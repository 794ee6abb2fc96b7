// SPDX-License-Identifier: MIT
/// Ranks of methods over splits, and what differences between them mean (Demsar 2006).

#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "hqe/methods/compare.h"

namespace hqe {

/// Rank of each value, 1 = largest; equals share their mean rank.
[[nodiscard]] std::vector<double> ranks_of(const std::vector<double>& values);

/// `ranks[split][method]`. Ties are corrected for. Nothing for fewer than two splits or methods, or
/// where all methods tie everywhere.
[[nodiscard]] std::optional<Friedman> friedman_test(const std::vector<std::vector<double>>& ranks);

/// P(X > x) of a chi-square X.
[[nodiscard]] double chi_square_tail(double x, int degrees);

/// Mean ranks further apart than this differ (Nemenyi, 5 %). Nothing below two splits or methods,
/// or above 64 methods.
[[nodiscard]] std::optional<double> critical_difference(std::size_t methods, std::size_t splits);

/// The longest runs of ascending `mean_ranks` whose ends are at most `difference` apart, first and
/// last place; runs of one are left out.
[[nodiscard]] std::vector<std::pair<int, int>> groups_within(const std::vector<double>& mean_ranks,
                                                             double difference);

/// Holm's step-down adjustment, in the order given.
[[nodiscard]] std::vector<double> holm_adjusted(const std::vector<double>& p_values);

}  // namespace hqe
