// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/statistics/binomial.h"
#include "hqe/statistics/chosen.h"
#include "hqe/statistics/intervals.h"
#include "hqe/statistics/normal.h"

namespace hqe {
namespace {

TEST_CASE("the normal distribution agrees with the C library's erfc") {
  for (double z = -9; z <= 9; z += 0.0173) {
    CHECK(std::abs(normal_cdf(z) - 0.5 * std::erfc(-z / std::sqrt(2.0))) < 1e-13);
  }
  CHECK(std::abs(normal_quantile(0.975) - 1.959963984540054) < 1e-12);
  CHECK(std::abs(normal_quantile(0.5)) < 1e-12);
}

TEST_CASE("log_factorial agrees with the C library") {
  for (const std::uint64_t n : {0u, 1u, 5u, 19u, 20u, 21u, 100u, 12345u, 1000000u}) {
    CHECK(std::abs(log_factorial(n) - std::lgamma(static_cast<double>(n) + 1)) <=
          1e-13 * std::max(1.0, log_factorial(n)));
  }
}

TEST_CASE("the binomial tail equals the sum of its terms") {
  for (std::uint64_t n = 1; n <= 40; ++n) {
    double sum = 0;
    double choose = 1;
    for (std::uint64_t k = 0; k <= n; ++k) {
      sum += choose * std::pow(0.5, static_cast<double>(n));
      choose = choose * static_cast<double>(n - k) / static_cast<double>(k + 1);
      CHECK(std::abs(binomial_half_cdf(k, n) - sum) < 1e-12);
    }
  }
}

TEST_CASE("McNemar's exact p-value of 1 against 9 is 22/1024") {
  CHECK(std::abs(mcnemar_p_value({.total = 100, .only_first = 9, .only_second = 1}) - 22.0 / 1024) <
        1e-13);
  CHECK(mcnemar_p_value({.total = 100}) == 1);
  CHECK(mcnemar_p_value({.total = 100, .only_first = 4, .only_second = 4}) == 1);
}

TEST_CASE("Wilson's interval of 8 in 10 is the textbook's") {
  const Interval interval = wilson_interval(8, 10);
  CHECK(std::abs(interval.low - 0.490162) < 1e-5);
  CHECK(std::abs(interval.high - 0.943318) < 1e-5);
  CHECK(wilson_interval(0, 10).low == 0);
  CHECK(wilson_interval(10, 10).high == 1);
}

TEST_CASE("drawn binomials have the right mean and variance") {
  Random random(5);
  for (const double p : {0.03, 0.5, 0.9}) {
    double sum = 0, squares = 0;
    constexpr int draws = 20000;
    for (int i = 0; i < draws; ++i) {
      const auto x = static_cast<double>(draw_binomial(random, 100, p));
      sum += x;
      squares += x * x;
    }
    const double mean = sum / draws;
    CHECK(std::abs(mean - 100 * p) < 0.2);
    CHECK(std::abs(squares / draws - mean * mean - 100 * p * (1 - p)) < 1.2);
  }
  CHECK(draw_binomial(random, 10, 0) == 0);
  CHECK(draw_binomial(random, 10, 1) == 10);
}

/// Draws samples one by one, as the bootstrap is defined.
Interval literal_bootstrap(const PairedCounts& counts, std::uint64_t seed, int resamples) {
  Random random(seed, 99);
  std::vector<double> differences;
  for (int i = 0; i < resamples; ++i) {
    double sum = 0;
    for (std::uint64_t draw = 0; draw < counts.total; ++draw) {
      const std::uint64_t sample = random.below(counts.total);
      if (sample < counts.only_first)
        ++sum;
      else if (sample < counts.only_first + counts.only_second)
        --sum;
    }
    differences.push_back(sum / static_cast<double>(counts.total));
  }
  std::ranges::sort(differences);
  return {differences[static_cast<std::size_t>(resamples * 0.025)],
          differences[static_cast<std::size_t>(resamples * 0.975)]};
}

TEST_CASE("the paired bootstrap agrees with drawing samples one by one") {
  const PairedCounts counts{.total = 1000, .only_first = 60, .only_second = 40};
  const Interval fast = paired_bootstrap_interval(counts, 1, 4000);
  const Interval slow = literal_bootstrap(counts, 1, 4000);
  CHECK(std::abs(fast.low - slow.low) < 0.002);
  CHECK(std::abs(fast.high - slow.high) < 0.002);
  CHECK(fast.low < counts.difference());
  CHECK(fast.high > counts.difference());
}

OutcomeRows random_rows(std::size_t teams, std::uint64_t samples, bool identical) {
  Random random(11);
  OutcomeRows rows{
      .sample_count = samples + 50, .bit_count = samples, .words = (samples + 63) / 64};
  std::vector<std::uint64_t> first;
  for (std::size_t team = 0; team < teams; ++team) {
    std::vector<std::uint64_t> row(rows.words);
    for (std::uint64_t x = 0; x < samples; ++x) {
      if (random.unit() < 0.7) row[x / 64] |= std::uint64_t{1} << (x % 64);
    }
    if (team == 0) first = row;
    const auto& chosen = identical ? first : row;
    rows.bits.insert(rows.bits.end(), chosen.begin(), chosen.end());
  }
  return rows;
}

TEST_CASE("a choice among many independent teams widens the interval, among copies it does not") {
  const double copies = simultaneous_quantile(random_rows(100, 1000, true), 3, 1000, {});
  const double many = simultaneous_quantile(random_rows(100, 1000, false), 3, 1000, {});
  CHECK(copies >= 1.9599);
  CHECK(copies < 2.2);
  // Bonferroni for 100 independent two-sided tests is 3.48.
  CHECK(many > 3.0);
  CHECK(many < 3.7);
}

TEST_CASE("the quantile is the same for any number of threads") {
  const OutcomeRows rows = random_rows(20, 300, false);
  const double one = simultaneous_quantile(rows, 3, 200, {.threads = 1});
  CHECK(one == simultaneous_quantile(rows, 3, 200, {.threads = 2}));
  CHECK(one == simultaneous_quantile(rows, 3, 200, {.threads = 7}));
}

}  // namespace
}  // namespace hqe
