// SPDX-License-Identifier: MIT
#include "hqe/statistics/binomial.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hqe/base/elementary.h"

namespace hqe {
namespace {

// Sums of binomial coefficients are sums of integers: a logarithm between them would cost digits,
// the more the larger n.
__extension__ using Wide = unsigned __int128;

constexpr int fraction_bits = 95;
constexpr Wide one = Wide{1} << fraction_bits;
/// Its product with 2 `one` fits into 128 bits.
constexpr std::uint64_t largest_factor = std::uint64_t{1} << 31;

/// sum_{i<=k} C(n,i) / C(n,k) in units of 1/`one`. Requires: 2k <= n, so that the terms fall.
Wide coefficients_up_to(std::uint64_t k, std::uint64_t n) {
  Wide sum = 0;
  Wide term = one;
  for (std::uint64_t i = k; term > 0; --i) {
    sum += term;
    if (i == 0) break;
    term = term * i / (n - i + 1);
  }
  return sum;
}

/// mantissa / `one` * 2^exponent.
struct Scaled {
  Wide mantissa;
  int exponent;
};

/// C(n,k) / C(n,middle), or 0 where a double could not hold it. Requires: k <= middle <= n/2.
Scaled coefficient_ratio(std::uint64_t k, std::uint64_t middle, std::uint64_t n) {
  constexpr int smallest_exponent = -1200;
  Scaled ratio{one, 0};
  for (std::uint64_t i = middle; i > k; --i) {
    ratio.mantissa = ratio.mantissa * i / (n - i + 1);
    for (; ratio.mantissa < one; --ratio.exponent) ratio.mantissa *= 2;
    if (ratio.exponent < smallest_exponent) return {0, 0};
  }
  return ratio;
}

}  // namespace

double log_factorial(std::uint64_t n) {
  if (n < 20) {
    double product = 1;
    for (std::uint64_t i = 2; i <= n; ++i) product *= static_cast<double>(i);
    return portable_log(product);
  }
  // Stirling's series.
  const double x = static_cast<double>(n);
  const double inverse = 1 / x;
  const double square = inverse * inverse;
  const double series =
      inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680))));
  return (x + 0.5) * portable_log(x) - x + 0.918938533204672741780 + series;
}

double binomial_half_cdf(std::uint64_t k, std::uint64_t n) {
  assert(k <= n && n <= largest_factor);
  if (2 * k + 1 > n) return k == n ? 1.0 : 1.0 - binomial_half_cdf(n - k - 1, n);
  const std::uint64_t middle = n / 2;
  // Both halves of all 2^n, in units of the middle coefficient, which an even n has once.
  const Wide all = 2 * coefficients_up_to(middle, n) - (n % 2 == 0 ? one : 0);
  const Scaled first = coefficient_ratio(k, middle, n);
  return std::ldexp(static_cast<double>(first.mantissa) *
                        static_cast<double>(coefficients_up_to(k, n)) / static_cast<double>(all),
                    first.exponent - fraction_bits);
}

std::uint64_t draw_binomial(Random& random, std::uint64_t n, double p) {
  double left = random.unit();
  if (p <= 0) return 0;
  if (p >= 1) return n;
  // Outward from the likeliest number, which takes a few standard deviations of steps.
  const auto mode = std::min(n, static_cast<std::uint64_t>((static_cast<double>(n) + 1) * p));
  const double start =
      portable_exp(log_factorial(n) - log_factorial(mode) - log_factorial(n - mode) +
                   static_cast<double>(mode) * portable_log(p) +
                   static_cast<double>(n - mode) * portable_log(1 - p));
  if (left < start) return mode;
  left -= start;
  const double odds = p / (1 - p);
  std::uint64_t low = mode;
  std::uint64_t high = mode;
  double at_low = start;
  double at_high = start;
  while ((low > 0 && at_low > 0) || (high < n && at_high > 0)) {
    if (high < n) {
      at_high *= odds * static_cast<double>(n - high) / static_cast<double>(high + 1);
      ++high;
      if (left < at_high) return high;
      left -= at_high;
    }
    if (low > 0) {
      at_low *= static_cast<double>(low) / (odds * static_cast<double>(n - low + 1));
      --low;
      if (left < at_low) return low;
      left -= at_low;
    }
  }
  return mode;  // What rounding left over of all probabilities.
}

}  // namespace hqe
