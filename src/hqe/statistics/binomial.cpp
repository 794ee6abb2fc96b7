// SPDX-License-Identifier: MIT
#include "hqe/statistics/binomial.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "hqe/base/elementary.h"

namespace hqe {
namespace {

constexpr double ln2 = 0.693147180559945309417;

}  // namespace

double log_factorial(std::uint64_t n) {
  if (n < 20) {
    double product = 1;
    for (std::uint64_t i = 2; i <= n; ++i) product *= static_cast<double>(i);
    return exact_log(product);
  }
  // Stirling's series.
  const double x = static_cast<double>(n);
  const double inverse = 1 / x;
  const double square = inverse * inverse;
  const double series =
      inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680))));
  return (x + 0.5) * exact_log(x) - x + 0.918938533204672741780 + series;
}

double binomial_half_cdf(std::uint64_t k, std::uint64_t n) {
  assert(k <= n);
  if (2 * k + 1 > n) return k == n ? 1.0 : 1.0 - binomial_half_cdf(n - k - 1, n);
  double term = exact_exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) -
                          static_cast<double>(n) * ln2);
  double sum = 0;
  for (std::uint64_t i = k;; --i) {
    sum += term;
    if (i == 0 || term < sum * 1e-17) break;
    term *= static_cast<double>(i) / static_cast<double>(n - i + 1);
  }
  return std::min(1.0, sum);
}

std::uint64_t draw_binomial(Random& random, std::uint64_t n, double p) {
  double left = random.unit();
  if (p <= 0) return 0;
  if (p >= 1) return n;
  // Outward from the likeliest number, which takes a few standard deviations of steps.
  const auto mode = std::min(n, static_cast<std::uint64_t>((static_cast<double>(n) + 1) * p));
  const double start = exact_exp(log_factorial(n) - log_factorial(mode) - log_factorial(n - mode) +
                                 static_cast<double>(mode) * exact_log(p) +
                                 static_cast<double>(n - mode) * exact_log(1 - p));
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
