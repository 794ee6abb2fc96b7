// SPDX-License-Identifier: MIT
#include "hqe/statistics/normal.h"

#include <cassert>
#include <cmath>

#include "hqe/base/elementary.h"

namespace hqe {
namespace {

constexpr double inverse_root_two_pi = 0.3989422804014326779;

/// P(Z > z) for z > 0 far out, where the series would cancel: Laplace's continued fraction.
double upper_tail(double z) {
  double fraction = z;
  for (int term = 60; term >= 1; --term) fraction = z + term / fraction;
  return inverse_root_two_pi * portable_exp(-z * z / 2) / fraction;
}

}  // namespace

double normal_cdf(double z) {
  if (z > 5) return 1 - upper_tail(z);
  if (z < -5) return upper_tail(-z);
  double term = z;
  double sum = z;
  for (int odd = 3; odd < 400; odd += 2) {
    term *= z * z / odd;
    sum += term;
    if (std::abs(term) < 1e-18 * std::abs(sum)) break;
  }
  return 0.5 + inverse_root_two_pi * portable_exp(-z * z / 2) * sum;
}

double normal_quantile(double p) {
  assert(p > 0 && p < 1);
  // Only a handful of quantiles are ever asked for, so bisection is fast enough and needs no table.
  double low = -40;
  double high = 40;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (normal_cdf(middle) < p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace hqe
