// SPDX-License-Identifier: MIT
#include "hqe/statistics/chosen.h"

#include <algorithm>
#include <bit>
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
  double deviation = 0;  ///< Standard deviation of the sum of outcomes.
};

std::vector<Row> describe(const OutcomeRows& rows) {
  const auto n = static_cast<double>(rows.sample_count);
  const auto always_right = static_cast<double>(rows.sample_count - rows.bit_count);
  std::vector<Row> result;
  for (std::size_t i = 0; i < rows.row_count(); ++i) {
    Row row;
    row.bit_count = static_cast<double>(count(rows.row(i)));
    row.correct = always_right + row.bit_count;
    row.deviation = std::sqrt(row.correct * (n - row.correct) / n);
    // A team that is always or never right has no spread to speak of.
    if (row.deviation > 0)
      result.push_back(row);
    else
      result.push_back({});
  }
  return result;
}

/// A random sign a bit; bits beyond the last sample stay 0 so that they never count.
void draw_signs(Random& random, std::uint64_t bit_count, std::span<std::uint64_t> plus) {
  for (std::uint64_t& word : plus) word = random.bits();
  if (bit_count % 64 != 0) plus.back() &= (std::uint64_t{1} << (bit_count % 64)) - 1;
}

}  // namespace

double simultaneous_quantile(const OutcomeRows& rows, std::uint64_t seed, int resamples,
                             const Run& run) {
  const double single = normal_quantile(0.5 + confidence_level / 2);
  if (rows.row_count() == 0) return single;
  const std::vector<Row> teams = describe(rows);
  const auto n = static_cast<double>(rows.sample_count);
  const std::uint64_t always_right = rows.sample_count - rows.bit_count;

  std::vector<double> largest(static_cast<std::size_t>(resamples));
  parallel_for(
      run, "judging the choice", largest.size(), 8,
      [&](std::uint64_t begin, std::uint64_t end, int) {
        std::vector<std::uint64_t> plus(rows.words);
        for (std::uint64_t resample = begin; resample < end; ++resample) {
          Random random(seed, resample);
          draw_signs(random, rows.bit_count, plus);
          const double agreed = 2 * static_cast<double>(draw_binomial(random, always_right, 0.5)) -
                                static_cast<double>(always_right);
          const double all =
              agreed + 2 * static_cast<double>(count(plus)) - static_cast<double>(rows.bit_count);
          double maximum = 0;
          for (std::size_t i = 0; i < teams.size(); ++i) {
            if (teams[i].deviation == 0) continue;
            const double right =
                agreed + 2 * static_cast<double>(count_and(rows.row(i), plus)) - teams[i].bit_count;
            const double error = right - teams[i].correct / n * all;
            maximum = std::max(maximum, std::abs(error) / teams[i].deviation);
          }
          largest[resample] = maximum;
        }
      });
  std::ranges::sort(largest);
  const auto place =
      static_cast<std::size_t>(std::ceil(confidence_level * static_cast<double>(resamples - 1)));
  return std::max(single, largest[place]);
}

}  // namespace hqe
