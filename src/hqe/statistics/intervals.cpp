// SPDX-License-Identifier: MIT
#include "hqe/statistics/intervals.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "hqe/base/words.h"
#include "hqe/statistics/binomial.h"
#include "hqe/statistics/normal.h"

namespace hqe {
namespace {

/// How many standard errors hold for one estimate at the confidence level.
double single_quantile() {
  static const double quantile = normal_quantile(0.5 + confidence_level / 2);
  return quantile;
}

}  // namespace

Interval wilson_interval(std::uint64_t correct, std::uint64_t total, double z) {
  assert(total > 0);
  const double n = static_cast<double>(total);
  const double share = static_cast<double>(correct) / n;
  const double square = z * z;
  const double centre = (share + square / (2 * n)) / (1 + square / n);
  const double half =
      z / (1 + square / n) * std::sqrt(share * (1 - share) / n + square / (4 * n * n));
  // At the ends the formula gives 0 and 1 up to rounding; say so exactly.
  return {correct == 0 ? 0.0 : std::max(0.0, centre - half),
          correct == total ? 1.0 : std::min(1.0, centre + half)};
}

Interval wilson_interval(std::uint64_t correct, std::uint64_t total) {
  return wilson_interval(correct, total, single_quantile());
}

double PairedCounts::difference() const {
  return (static_cast<double>(only_first) - static_cast<double>(only_second)) /
         static_cast<double>(total);
}

double mcnemar_p_value(const PairedCounts& counts) {
  const std::uint64_t discordant = counts.only_first + counts.only_second;
  if (discordant == 0) return 1;
  return std::min(
      1.0, 2 * binomial_half_cdf(std::min(counts.only_first, counts.only_second), discordant));
}

Interval paired_bootstrap_interval(const PairedCounts& counts, std::uint64_t seed, int resamples) {
  assert(counts.total > 0 && resamples >= 2);
  const std::uint64_t discordant = counts.only_first + counts.only_second;
  if (discordant == 0) return {0, 0};
  const double n = static_cast<double>(counts.total);
  const double discordant_share = static_cast<double>(discordant) / n;
  const double first_share =
      static_cast<double>(counts.only_first) / static_cast<double>(discordant);
  Random random(seed);
  std::vector<double> differences;
  differences.reserve(static_cast<std::size_t>(resamples));
  for (int i = 0; i < resamples; ++i) {
    const std::uint64_t either = draw_binomial(random, counts.total, discordant_share);
    const std::uint64_t first = draw_binomial(random, either, first_share);
    differences.push_back((2 * static_cast<double>(first) - static_cast<double>(either)) / n);
  }
  std::ranges::sort(differences);
  const double tail = (1 - confidence_level) / 2;
  const auto last = static_cast<double>(resamples - 1);
  return {differences[static_cast<std::size_t>(std::floor(tail * last))],
          differences[static_cast<std::size_t>(std::ceil((1 - tail) * last))]};
}

namespace {

/// Standard deviation of one sample's difference.
double deviation(double first, double second, double n) {
  const double difference = first - second;
  return std::sqrt(std::max(0.0, (first + second) / n - difference / n * (difference / n)));
}

/// Half a sample more on either side, so that few differing samples do not pass for none (after
/// Agresti and Min 2005).
Interval cautious_interval(const PairedCounts& counts) {
  const double n = static_cast<double>(counts.total) + 2;
  const double first = static_cast<double>(counts.only_first) + 0.5;
  const double second = static_cast<double>(counts.only_second) + 0.5;
  const double half = single_quantile() * deviation(first, second, n) / std::sqrt(n);
  const double difference = (first - second) / n;
  return {difference - half, difference + half};
}

constexpr std::array verdict_words{Word{Verdict::better, "better"},
                                   Word{Verdict::as_good, "as_good"}, Word{Verdict::worse, "worse"},
                                   Word{Verdict::cannot_tell, "cannot_tell"}};

}  // namespace

Interval normal_interval(const PairedCounts& counts, double z) {
  const double n = static_cast<double>(counts.total);
  const double half = z *
                      deviation(static_cast<double>(counts.only_first),
                                static_cast<double>(counts.only_second), n) /
                      std::sqrt(n);
  return {counts.difference() - half, counts.difference() + half};
}

double PairedValues::difference() const { return sum / static_cast<double>(total); }

double PairedValues::deviation() const {
  const double mean = difference();
  return std::sqrt(std::max(0.0, squares / static_cast<double>(total) - mean * mean));
}

PairedValues& PairedValues::operator+=(const PairedValues& other) {
  total += other.total;
  sum += other.sum;
  squares += other.squares;
  return *this;
}

Interval normal_interval(double mean, double deviation, std::uint64_t total, double z) {
  const double half = z * deviation / std::sqrt(static_cast<double>(total));
  return {mean - half, mean + half};
}

Interval normal_interval(double mean, double deviation, std::uint64_t total) {
  return normal_interval(mean, deviation, total, single_quantile());
}

std::string_view to_string(Verdict verdict) { return word_of(verdict_words, verdict); }

std::optional<Verdict> parse_verdict(std::string_view word) {
  return value_of(verdict_words, word);
}

Verdict verdict_of(const PairedCounts& counts, const Interval& interval, double margin) {
  const bool is_certain = mcnemar_p_value(counts) < 1 - confidence_level;
  if (interval.low > 0 && is_certain) return Verdict::better;
  if (interval.high < 0 && is_certain) return Verdict::worse;
  const Interval cautious = cautious_interval(counts);
  const bool is_within = std::min(interval.low, cautious.low) >= -margin &&
                         std::max(interval.high, cautious.high) <= margin;
  return is_within ? Verdict::as_good : Verdict::cannot_tell;
}

Verdict verdict_of(const Interval& interval, double margin) {
  if (interval.low > 0) return Verdict::better;
  if (interval.high < 0) return Verdict::worse;
  const bool is_within = interval.low >= -margin && interval.high <= margin;
  return is_within ? Verdict::as_good : Verdict::cannot_tell;
}

std::uint64_t samples_needed(const PairedCounts& counts, double margin) {
  const double spread =
      deviation(static_cast<double>(counts.only_first) + 0.5,
                static_cast<double>(counts.only_second) + 0.5, static_cast<double>(counts.total));
  return samples_needed(counts.difference(), spread, counts.total, margin);
}

std::uint64_t samples_needed(double difference, double deviation, std::uint64_t total,
                             double margin) {
  constexpr double power = 0.8;
  // Whichever is further off: a difference of 0, to be excluded, or the margin, to be kept.
  const double distance = std::max(std::abs(difference), margin - std::abs(difference));
  const double errors = (single_quantile() + normal_quantile(power)) * deviation / distance;
  const double needed = std::max(errors * errors, static_cast<double>(total) + 1);
  double unit = 1;
  while (needed / unit >= 100) unit *= 10;
  return static_cast<std::uint64_t>(std::ceil(needed / unit) * unit);
}

}  // namespace hqe
