// SPDX-License-Identifier: MIT
/// How sure one can be of an accuracy, and of a difference of two accuracies on the same samples.

#pragma once

#include <cstdint>

namespace hqe {

/// The share of cases in which an interval is to contain the truth.
inline constexpr double confidence_level = 0.95;

struct Interval {
  double low = 0;
  double high = 0;
};

/// Wilson's score interval of a share of `correct` in `total` for a normal quantile `z`.
/// Requires: total > 0.
[[nodiscard]] Interval wilson_interval(std::uint64_t correct, std::uint64_t total, double z);

/// At the confidence level.
[[nodiscard]] Interval wilson_interval(std::uint64_t correct, std::uint64_t total);

/// Two teams on the same samples: everything a paired comparison depends on.
struct PairedCounts {
  std::uint64_t total = 0;
  std::uint64_t only_first = 0;   ///< Samples that only the first gets right.
  std::uint64_t only_second = 0;  ///< Samples that only the second gets right.

  /// Accuracy of the first minus accuracy of the second.
  [[nodiscard]] double difference() const;
};

/// Exact two-sided McNemar p-value: twice the smaller binomial(b + c, 1/2) tail, at most 1.
[[nodiscard]] double mcnemar_p_value(const PairedCounts& counts);

/// Paired bootstrap interval of the difference (percentile). Resampling samples with replacement
/// only moves the number of samples that either one alone gets right, so the resamples are drawn as
/// those two numbers: the same distribution as drawing samples, thousands of times faster.
/// Deterministic in `seed`. Requires: counts.total > 0, resamples >= 2.
[[nodiscard]] Interval paired_bootstrap_interval(const PairedCounts& counts, std::uint64_t seed,
                                                 int resamples = 2000);

}  // namespace hqe
