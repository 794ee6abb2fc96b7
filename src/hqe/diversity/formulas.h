// SPDX-License-Identifier: MIT
/// The metrics as formulas of integers: one division each, so that no rounding comes in between.
/// docs/metrics.md derives them.

#pragma once

#include <algorithm>
#include <cstdint>

#include "hqe/diversity/metric.h"

namespace hqe {

/// A quotient that is yet to be divided. Both numbers are whole.
struct Fraction {
  double numerator = 0;
  double denominator = 1;
};

/// A metric of failures as a quotient. Of n samples, where A sums over the members the samples each
/// fails on, B over the pairs those that both fail on, and D = (S - 1) A - 2 B, which is the sum of
/// k (S - k) over the samples with k failing members, the metric is
/// split D / (samples n + alone A).
struct FailureFormula {
  std::uint64_t split = 0;
  std::uint64_t samples = 0;
  std::uint64_t alone = 0;
};

/// Of BD, KW and GD; zeros of any other metric, whose scores then are 0 / 0, not a number.
[[nodiscard]] constexpr FailureFormula failure_formula(Metric metric, int team_size) {
  const auto size = static_cast<std::uint64_t>(team_size);
  if (metric == Metric::bd) return {.split = 2, .samples = size * (size - 1)};
  if (metric == Metric::kw) return {.split = 1, .samples = size * size};
  if (metric == Metric::gd) return {.split = 1, .alone = size - 1};
  return {};
}

[[nodiscard]] constexpr bool has_failure_formula(Metric metric) {
  return failure_formula(metric, 2).split != 0;
}

/// Whether the focal form of a baseline is made of Cohen's kappas (focal_kappas.h).
[[nodiscard]] constexpr bool is_kappa(Metric baseline) { return baseline == Metric::ck; }

static_assert(std::ranges::all_of(metric_rows,
                                  [](const MetricRow& row) {
                                    return row.baseline == row.metric || is_kappa(row.baseline) ||
                                           has_failure_formula(row.baseline);
                                  }),
              "a focal metric lacks its formula in failure_formula()");

/// Of a team that fails at all. Requires: team_size >= 2, sample_count > 0, alone > 0, numbers
/// below 2^63.
[[nodiscard]] inline Fraction failure_fraction(const FailureFormula& formula, int team_size,
                                               std::uint64_t sample_count, std::uint64_t alone,
                                               std::uint64_t together) {
  const std::uint64_t split = (static_cast<std::uint64_t>(team_size) - 1) * alone - 2 * together;
  // Signed numbers become doubles in one instruction.
  return {static_cast<double>(static_cast<std::int64_t>(formula.split * split)),
          static_cast<double>(
              static_cast<std::int64_t>(formula.samples * sample_count + formula.alone * alone))};
}

/// Of any team; 0 of one that never fails.
[[nodiscard]] inline double failure_diversity(Metric metric, int team_size,
                                              std::uint64_t sample_count, std::uint64_t alone,
                                              std::uint64_t together) {
  if (alone == 0) return 0;
  const Fraction fraction = failure_fraction(failure_formula(metric, team_size), team_size,
                                             sample_count, alone, together);
  return fraction.numerator / fraction.denominator;
}

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
