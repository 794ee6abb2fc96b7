// SPDX-License-Identifier: MIT
/// How sure one can be of the accuracy of a team on the very samples it was chosen on.
///
/// The best of many teams looks better than it is. A band that holds for all of them at once holds
/// for the chosen one, whichever it is: its width comes from the distribution of the largest
/// studentised error over the teams (max-statistic multiplier bootstrap, Chernozhukov, Chetverikov
/// and Kato 2013, with random signs as multipliers so that a resample is an AND and a popcount).

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"

namespace hqe {

/// Teams' outcomes as bits: 1 = right. Samples that every team gets right need no bit.
struct OutcomeRows {
  std::uint64_t sample_count = 0;   ///< All samples.
  std::uint64_t bit_count = 0;      ///< Samples that have a bit; the others are right.
  std::size_t words = 0;            ///< Of one row.
  std::vector<std::uint64_t> bits;  ///< Row after row; bits beyond bit_count are 0.

  [[nodiscard]] std::size_t row_count() const { return words == 0 ? 0 : bits.size() / words; }
  [[nodiscard]] std::span<const std::uint64_t> row(std::size_t index) const {
    return {bits.data() + index * words, words};
  }
};

/// How many standard errors hold for all teams at once at the confidence level; never fewer than
/// for a single team.
struct SimultaneousQuantiles {
  double accuracy = 0;    ///< For wilson_interval(correct, N, z).
  double difference = 0;  ///< For normal_interval(counts, z): all teams with all baselines at once.
};

/// Of the teams in `rows`, and of their differences from each of `baselines`, whose bits stand for
/// the same samples. Deterministic in `seed` for any number of threads.
/// O(resamples * teams * words), a few words a cycle.
[[nodiscard]] SimultaneousQuantiles simultaneous_quantiles(const OutcomeRows& rows,
                                                           const OutcomeRows& baselines,
                                                           std::uint64_t seed, int resamples,
                                                           const Run& run);

}  // namespace hqe
