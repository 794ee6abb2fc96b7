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

TEST_CASE("rough normal quantiles are those of the tables, and near the exact ones") {
  CHECK(rough_normal_quantile(0.5) == doctest::Approx(0).epsilon(1e-9));
  CHECK(rough_normal_quantile(0.975) == doctest::Approx(1.959963985).epsilon(1e-8));
  CHECK(rough_normal_quantile(0.001) == doctest::Approx(-3.090232306).epsilon(1e-8));
  CHECK(rough_normal_quantile(0) == -8);
  CHECK(rough_normal_quantile(1) == 8);
  for (double p = 0.0005; p < 1; p += 0.0117) {
    CHECK(std::abs(rough_normal_quantile(p) - normal_quantile(p)) < 5e-9);
  }
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
  const double copies =
      simultaneous_quantiles(random_rows(100, 1000, true), {}, 3, 1000, {}).accuracy;
  const double many =
      simultaneous_quantiles(random_rows(100, 1000, false), {}, 3, 1000, {}).accuracy;
  CHECK(copies >= 1.9599);
  CHECK(copies < 2.2);
  // Bonferroni for 100 independent two-sided tests is 3.48.
  CHECK(many > 3.0);
  CHECK(many < 3.7);
}

TEST_CASE("differences from a baseline widen like accuracies, and those from oneself not at all") {
  const OutcomeRows many = random_rows(100, 1000, false);
  OutcomeRows baselines{
      .sample_count = many.sample_count, .bit_count = many.bit_count, .words = many.words};
  baselines.bits.assign(many.bits.begin(), many.bits.begin() + static_cast<long>(many.words));
  const auto quantiles = simultaneous_quantiles(many, baselines, 3, 1000, {});
  CHECK(quantiles.difference > 2.8);
  CHECK(quantiles.difference < 3.7);
  CHECK(simultaneous_quantiles(baselines, baselines, 3, 100, {}).difference ==
        doctest::Approx(1.959963984540054));
}

TEST_CASE("the quantiles are the same for any number of threads") {
  const OutcomeRows rows = random_rows(20, 300, false);
  const auto one = simultaneous_quantiles(rows, rows, 3, 200, {.threads = 1});
  for (const int threads : {2, 7}) {
    const auto several = simultaneous_quantiles(rows, rows, 3, 200, {.threads = threads});
    CHECK(one.accuracy == several.accuracy);
    CHECK(one.difference == several.difference);
  }
}

TEST_CASE("drawn binomials have the binomial probabilities") {
  // Chi-squared of 12 numbers of successes, each with its exact share; 5 standard deviations.
  Random random(8);
  constexpr int draws = 200000;
  std::vector<double> seen(12);
  for (int i = 0; i < draws; ++i) ++seen[draw_binomial(random, 11, 0.3)];
  double statistic = 0;
  double share = std::pow(0.7, 11);
  for (std::size_t k = 0; k < seen.size(); ++k) {
    statistic += (seen[k] - draws * share) * (seen[k] - draws * share) / (draws * share);
    share *= static_cast<double>(11 - k) / static_cast<double>(k + 1) * 0.3 / 0.7;
  }
  CHECK(statistic < 11 + 5 * std::sqrt(22.0));
}

Verdict verdict(std::uint64_t total, std::uint64_t first, std::uint64_t second) {
  const PairedCounts counts{.total = total, .only_first = first, .only_second = second};
  return verdict_of(counts, paired_bootstrap_interval(counts, 1), 0.005);
}

TEST_CASE("a verdict is better, worse, as good, or that one cannot tell") {
  CHECK(verdict(10000, 120, 60) == Verdict::better);
  CHECK(verdict(10000, 60, 120) == Verdict::worse);
  CHECK(verdict(10000, 100, 100) == Verdict::as_good);
  CHECK(verdict(1000, 12, 6) == Verdict::cannot_tell);
  CHECK(verdict(1000, 6, 12) == Verdict::cannot_tell);
  // Never having differed on a few samples proves little.
  CHECK(verdict(50, 0, 0) == Verdict::cannot_tell);
  CHECK(verdict(5000, 0, 0) == Verdict::as_good);
  // Five to nothing looks like a sure thing to the bootstrap; the exact test knows better.
  CHECK(verdict(100, 5, 0) == Verdict::cannot_tell);
  for (const Verdict each :
       {Verdict::better, Verdict::as_good, Verdict::worse, Verdict::cannot_tell}) {
    CHECK(parse_verdict(to_string(each)) == each);
  }
}

TEST_CASE("the samples that would be needed settle the matter where the same goes on") {
  for (const auto& [first, second] : {std::pair{12u, 6u}, {30u, 28u}, {9u, 9u}, {2u, 9u}}) {
    const PairedCounts counts{.total = 1000, .only_first = first, .only_second = second};
    const std::uint64_t needed = samples_needed(counts, 0.005);
    CHECK(needed > counts.total);
    const double more = static_cast<double>(needed) / 1000;
    CHECK(verdict(needed, static_cast<std::uint64_t>(first * more),
                  static_cast<std::uint64_t>(second * more)) != Verdict::cannot_tell);
  }
  CHECK(samples_needed({.total = 1000, .only_first = 12, .only_second = 6}, 0.005) == 4200);
}

/// As textbooks write it.
double plain_mcnemar(int b, int c) {
  double tail = 0;
  double choose = 1;
  for (int k = 0; k <= std::min(b, c); ++k) {
    tail += choose * std::pow(0.5, b + c);
    choose = choose * (b + c - k) / (k + 1);
  }
  return std::min(1.0, 2 * tail);
}

TEST_CASE("McNemar and Wilson equal plain implementations") {
  for (int b = 0; b <= 60; ++b) {
    for (int c = 0; c <= 60; ++c) {
      const PairedCounts counts{.total = 500,
                                .only_first = static_cast<std::uint64_t>(b),
                                .only_second = static_cast<std::uint64_t>(c)};
      CHECK(std::abs(mcnemar_p_value(counts) - plain_mcnemar(b, c)) < 1e-12);
    }
  }
  // Wilson's ends are the p at which the observed share is 1.96 standard errors off.
  const double z = 1.959963984540054;
  for (const std::uint64_t total : {7u, 100u, 5000u}) {
    for (std::uint64_t correct = 1; correct < total; correct += 1 + total / 9) {
      const double share = static_cast<double>(correct) / static_cast<double>(total);
      const Interval interval = wilson_interval(correct, total);
      for (const double end : {interval.low, interval.high}) {
        CHECK(std::abs(share - end) ==
              doctest::Approx(z * std::sqrt(end * (1 - end) / static_cast<double>(total))));
      }
    }
  }
}

}  // namespace
}  // namespace hqe
