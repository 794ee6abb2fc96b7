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

/// 64 trials at once: compares a random fraction with p bit by bit, and stops as soon as every
/// trial is decided, after about eight words on average.
std::uint64_t bernoulli_word(Random& random, std::uint64_t p_fixed) {
  std::uint64_t success = 0;
  std::uint64_t undecided = ~std::uint64_t{0};
  for (int bit = 63; bit >= 0 && undecided != 0; --bit) {
    const std::uint64_t word = random.bits();
    if ((p_fixed >> bit) & 1) {
      success |= undecided & ~word;
      undecided &= word;
    } else {
      undecided &= ~word;
    }
  }
  return success;
}

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
  if (p <= 0) return 0;
  if (p >= 1) return n;
  const auto p_fixed = static_cast<std::uint64_t>(std::ldexp(p, 64));
  std::uint64_t successes = 0;
  for (std::uint64_t begin = 0; begin < n; begin += 64) {
    std::uint64_t word = bernoulli_word(random, p_fixed);
    if (n - begin < 64) word &= (std::uint64_t{1} << (n - begin)) - 1;
    successes += static_cast<std::uint64_t>(std::popcount(word));
  }
  return successes;
}

}  // namespace hqe
