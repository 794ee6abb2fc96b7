// SPDX-License-Identifier: MIT
/// How sure one can be of an accuracy, and of a difference of two accuracies on the same samples.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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

/// The difference and `z` standard errors on both sides. Requires: counts.total > 0.
[[nodiscard]] Interval normal_interval(const PairedCounts& counts, double z);

/// Two teams on the same samples by values of any kind: sums over samples of what the first has
/// more, so that parts can be added up.
struct PairedValues {
  std::uint64_t total = 0;
  double sum = 0, squares = 0;

  /// Mean of the first minus mean of the second. Requires: total > 0.
  [[nodiscard]] double difference() const;
  /// Standard deviation of one sample's difference. Requires: total > 0.
  [[nodiscard]] double deviation() const;
  PairedValues& operator+=(const PairedValues& other);
};

/// A mean of `total` values of this deviation, and `z` standard errors on both sides.
[[nodiscard]] Interval normal_interval(double mean, double deviation, std::uint64_t total,
                                       double z);
/// At the confidence level.
[[nodiscard]] Interval normal_interval(double mean, double deviation, std::uint64_t total);

/// What a paired comparison allows to say of the first team (docs/decisions/0011-verdicts.md).
enum class Verdict {
  better,       ///< More accurate: the interval lies above 0, and McNemar's p is below 0.05.
  as_good,      ///< The accuracies differ by no more than the margin: the interval lies within it.
  worse,        ///< Less accurate, as certainly as better.
  cannot_tell,  ///< Too few samples for any of these.
};
[[nodiscard]] std::string_view to_string(Verdict verdict);
[[nodiscard]] std::optional<Verdict> parse_verdict(std::string_view word);

/// `interval`: of the difference, plain or corrected. Better and worse win over as good. Requires:
/// margin > 0.
[[nodiscard]] Verdict verdict_of(const PairedCounts& counts, const Interval& interval,
                                 double margin);

/// The same where values were compared: by the interval alone.
[[nodiscard]] Verdict verdict_of(const Interval& interval, double margin);

/// About how many samples would settle the matter, better, worse or as good, with a chance of 80 %
/// if the truth is what was observed: two digits, rounded up, more than counts.total.
[[nodiscard]] std::uint64_t samples_needed(const PairedCounts& counts, double margin);
/// The same where one sample's difference has this deviation.
[[nodiscard]] std::uint64_t samples_needed(double difference, double deviation, std::uint64_t total,
                                           double margin);

}  // namespace hqe
