// SPDX-License-Identifier: MIT
#include "hqe/statistics/chosen.h"

#include <algorithm>
#include <cmath>

#include "hqe/base/random.h"
#include "hqe/bits/count.h"
#include "hqe/statistics/binomial.h"
#include "hqe/statistics/intervals.h"
#include "hqe/statistics/normal.h"

namespace hqe {
namespace {

struct Row {
  double correct = 0;    ///< On all samples.
  double bit_count = 0;  ///< Set bits.
  double deviation = 0;  ///< Standard deviation of the sum of outcomes; 0 where they never differ.
  /// Per baseline: the difference of correct counts, and its standard deviation.
  std::vector<double> differences, difference_deviations;
};

std::vector<Row> describe(const OutcomeRows& rows, const OutcomeRows& baselines) {
  const auto n = static_cast<double>(rows.sample_count);
  const auto always_right = static_cast<double>(rows.sample_count - rows.bit_count);
  std::vector<Row> result(rows.row_count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    Row& row = result[i];
    row.bit_count = static_cast<double>(count(rows.row(i)));
    row.correct = always_right + row.bit_count;
    row.deviation = std::sqrt(row.correct * (n - row.correct) / n);
    for (std::size_t b = 0; b < baselines.row_count(); ++b) {
      const auto other = static_cast<double>(count(baselines.row(b)));
      const auto both = static_cast<double>(count_and(rows.row(i), baselines.row(b)));
      const double difference = row.bit_count - other;
      const double discordant = row.bit_count + other - 2 * both;
      row.differences.push_back(difference);
      row.difference_deviations.push_back(std::sqrt(discordant - difference * difference / n));
    }
  }
  return result;
}

/// A random sign a bit; bits beyond the last sample stay 0 so that they never count.
void draw_signs(Random& random, std::uint64_t bit_count, std::span<std::uint64_t> plus) {
  for (std::uint64_t& word : plus) word = random.bits();
  if (bit_count % 64 != 0) plus.back() &= (std::uint64_t{1} << (bit_count % 64)) - 1;
}

/// The largest studentised errors of one resample.
class Resampler {
 public:
  Resampler(const OutcomeRows& rows, const OutcomeRows& baselines)
      : rows_(rows), baselines_(baselines), teams_(describe(rows, baselines)) {
    for (std::size_t b = 0; b < baselines.row_count(); ++b) {
      baseline_bits_.push_back(static_cast<double>(count(baselines.row(b))));
    }
  }

  [[nodiscard]] SimultaneousQuantiles draw(std::uint64_t seed, std::uint64_t resample) const {
    Random random(seed, resample);
    std::vector<std::uint64_t> plus(rows_.words);
    draw_signs(random, rows_.bit_count, plus);
    const std::uint64_t always_right = rows_.sample_count - rows_.bit_count;
    const double agreed = 2 * static_cast<double>(draw_binomial(random, always_right, 0.5)) -
                          static_cast<double>(always_right);
    const auto n = static_cast<double>(rows_.sample_count);
    const double mean =
        (agreed + 2 * static_cast<double>(count(plus)) - static_cast<double>(rows_.bit_count)) / n;
    std::vector<double> baseline_sums;
    for (std::size_t b = 0; b < baselines_.row_count(); ++b) {
      baseline_sums.push_back(2 * static_cast<double>(count_and(baselines_.row(b), plus)) -
                              baseline_bits_[b]);
    }
    SimultaneousQuantiles largest;
    for (std::size_t i = 0; i < teams_.size(); ++i) {
      const Row& team = teams_[i];
      const double sum = 2 * static_cast<double>(count_and(rows_.row(i), plus)) - team.bit_count;
      note(agreed + sum - team.correct * mean, team.deviation, largest.accuracy);
      for (std::size_t b = 0; b < baseline_sums.size(); ++b) {
        note(sum - baseline_sums[b] - team.differences[b] * mean, team.difference_deviations[b],
             largest.difference);
      }
    }
    return largest;
  }

 private:
  static void note(double error, double deviation, double& largest) {
    if (deviation > 0) largest = std::max(largest, std::abs(error) / deviation);
  }

  const OutcomeRows& rows_;
  const OutcomeRows& baselines_;
  std::vector<Row> teams_;
  std::vector<double> baseline_bits_;
};

}  // namespace

SimultaneousQuantiles simultaneous_quantiles(const OutcomeRows& rows, const OutcomeRows& baselines,
                                             std::uint64_t seed, int resamples, const Run& run) {
  std::vector<SimultaneousQuantiles> largest(static_cast<std::size_t>(resamples));
  const Resampler resampler(rows, baselines);
  parallel_for(run, "judging the choice", largest.size(), 8,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (; begin < end; ++begin) largest[begin] = resampler.draw(seed, begin);
               });
  const double single = normal_quantile(0.5 + confidence_level / 2);
  const auto quantile = [&](double SimultaneousQuantiles::* which) {
    std::ranges::sort(largest, {}, which);
    const auto last = static_cast<double>(largest.size() - 1);
    return std::max(single,
                    largest[static_cast<std::size_t>(std::ceil(confidence_level * last))].*which);
  };
  return {.accuracy = quantile(&SimultaneousQuantiles::accuracy),
          .difference = quantile(&SimultaneousQuantiles::difference)};
}

}  // namespace hqe
