// SPDX-License-Identifier: MIT
#include "hqe/base/elementary.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace hqe {
namespace {

// ln 2 in two parts: the high one has trailing zeros, so that k * ln2_high is exact for |k| < 2^11.
constexpr double ln2_high = 0x1.62e42fee00000p-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace

double portable_exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  // x = k ln 2 + r with |r| <= ln 2 / 2; e^r from its series, nested so that the largest term is
  // added last.
  const double k = std::floor(x * 0x1.71547652b82fep+0 + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;
  double tail = 1.0 / 87178291200.0;  // 1/14!
  for (const double factorial : {6227020800.0, 479001600.0, 39916800.0, 3628800.0, 362880.0,
                                 40320.0, 5040.0, 720.0, 120.0, 24.0, 6.0, 2.0}) {
    tail = tail * r + 1.0 / factorial;
  }
  const double series = 1.0 + (r + r * r * tail);
  // In two steps: 2^k alone would overflow or lose denormals at the ends of the range.
  const int exponent = static_cast<int>(k);
  const int half = exponent / 2;
  return series * power_of_two(half) * power_of_two(exponent - half);
}

double portable_log(double x) {
  assert(x > 0 && std::isfinite(x));
  // x = 2^k m with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh(s), s = (m-1)/(m+1).
  int k = 0;
  double m = std::frexp(x, &k);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --k;
  }
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double tail = 0;
  for (int odd = 23; odd >= 3; odd -= 2) tail = (tail + 1.0 / odd) * square;
  return k * ln2_high + (2 * s + (2 * s * tail + k * ln2_low));
}

}  // namespace hqe
