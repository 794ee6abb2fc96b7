// SPDX-License-Identifier: MIT
/// The metrics as formulas of integers: one division each, so that no rounding comes in between.
/// docs/metrics.md derives them.

#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "hqe/diversity/metric.h"

namespace hqe {

/// A quotient that is yet to be divided. Both numbers are whole.
struct Fraction {
  double numerator = 0;
  double denominator = 1;
};

/// BD, KW or GD of a team of `team_size` on `sample_count` samples, where `alone` sums over the
/// members the samples each fails on, and `together` over the pairs those that both fail on.
/// GD of a team that never fails is 0. Requires: one of these metrics, sample_count > 0,
/// team_size >= 2, counts below 2^63.
[[nodiscard]] inline Fraction failure_fraction(Metric metric, int team_size,
                                               std::uint64_t sample_count, std::uint64_t alone,
                                               std::uint64_t together) {
  const auto size = static_cast<std::uint64_t>(team_size);
  // sum_x k (S - k), k = failing members: sum k = alone, sum k (k - 1) = 2 together.
  const std::uint64_t split = (size - 1) * alone - 2 * together;
  // Signed numbers become doubles in one instruction.
  const auto fraction = [](std::uint64_t numerator, std::uint64_t denominator) {
    return Fraction{static_cast<double>(static_cast<std::int64_t>(numerator)),
                    static_cast<double>(static_cast<std::int64_t>(denominator))};
  };
  if (metric == Metric::bd) return fraction(2 * split, size * (size - 1) * sample_count);
  if (metric == Metric::kw) return fraction(split, size * size * sample_count);
  assert(metric == Metric::gd);
  return alone == 0 ? Fraction{} : fraction(split, (size - 1) * alone);
}

[[nodiscard]] inline double failure_diversity(Metric metric, int team_size,
                                              std::uint64_t sample_count, std::uint64_t alone,
                                              std::uint64_t together) {
  const Fraction fraction = failure_fraction(metric, team_size, sample_count, alone, together);
  return fraction.numerator / fraction.denominator;
}

static_assert(std::ranges::all_of(metric_rows,
                                  [](const MetricRow& row) {
                                    return !row.prunes || row.baseline == Metric::ck ||
                                           row.baseline == Metric::bd ||
                                           row.baseline == Metric::kw || row.baseline == Metric::gd;
                                  }),
              "a metric that prunes lacks its formula: it would be scored as GD");

/// Cohen's kappa of two models that predict the same label on `same` of n samples; `chance` is
/// sum_c n_i(c) n_j(c). 1 when chance = n^2. Requires: n <= 2^31.
[[nodiscard]] inline Fraction kappa_fraction(std::uint64_t n, std::uint64_t same,
                                             std::uint64_t chance) {
  if (chance == n * n) return {1, 1};
  return {static_cast<double>(static_cast<std::int64_t>(n * same - chance)),
          static_cast<double>(static_cast<std::int64_t>(n * n - chance))};
}

[[nodiscard]] inline double cohens_kappa(std::uint64_t n, std::uint64_t same,
                                         std::uint64_t chance) {
  const Fraction fraction = kappa_fraction(n, same, chance);
  return fraction.numerator / fraction.denominator;
}

}  // namespace hqe
