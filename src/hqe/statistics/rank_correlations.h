// SPDX-License-Identifier: MIT
/// How well scores foretell accuracy: rank correlations with ties.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "hqe/statistics/ranks.h"

namespace hqe {

/// Of scores, equal where their bits are, and correct counts, one a team.
struct RankCorrelations {
  std::optional<double> spearman;  ///< Of mean ranks.
  std::optional<double> kendall;   ///< tau-b.
};

/// Nothing for fewer than two teams or where all scores or all counts are equal. From integers
/// alone until the last division, so exact; O(n log n).
[[nodiscard]] RankCorrelations rank_correlations(std::span<const double> scores,
                                                 std::span<const std::uint64_t> correct);
/// The same of counts that were ranked before. Requires: as many as there are scores.
[[nodiscard]] RankCorrelations rank_correlations(std::span<const double> scores,
                                                 const Ranking& correct);

}  // namespace hqe
