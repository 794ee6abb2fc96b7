// SPDX-License-Identifier: MIT
#include "hqe/statistics/intervals.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "hqe/statistics/binomial.h"
#include "hqe/statistics/normal.h"

namespace hqe {

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
  return wilson_interval(correct, total, normal_quantile(0.5 + confidence_level / 2));
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

}  // namespace hqe
