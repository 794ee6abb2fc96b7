// SPDX-License-Identifier: MIT
#include "hqe/statistics/normal.h"

#include <array>
#include <cassert>
#include <cmath>
#include <span>

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

double polynomial(std::span<const double> factors, double x) {
  double value = 0;
  for (const double factor : factors) value = value * x + factor;
  return value;
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

double rough_normal_quantile(double probability) {
  // P. J. Acklam's rational approximations (2003) of the middle and of the lower tail.
  constexpr std::array middle_above{-3.969683028665376e+01, 2.209460984245205e+02,
                                    -2.759285104469687e+02, 1.383577518672690e+02,
                                    -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr std::array middle_below{-5.447609879822406e+01, 1.615858368580409e+02,
                                    -1.556989798598866e+02, 6.680131188771972e+01,
                                    -1.328068155288572e+01, 1.0};
  constexpr std::array tail_above{-7.784894002430293e-03, -3.223964580411365e-01,
                                  -2.400758277161838e+00, -2.549732539343734e+00,
                                  4.374664141464968e+00,  2.938163982698783e+00};
  constexpr std::array tail_below{7.784695709041462e-03, 3.224671290700398e-01,
                                  2.445134137142996e+00, 3.754408661907416e+00, 1.0};
  if (probability > 0.5) return -rough_normal_quantile(1 - probability);
  if (probability < 1e-15) return -8;
  if (probability < 0.02425) {
    const double q = std::sqrt(-2 * portable_log(probability));
    return polynomial(tail_above, q) / polynomial(tail_below, q);
  }
  const double q = probability - 0.5;
  return q * polynomial(middle_above, q * q) / polynomial(middle_below, q * q);
}

}  // namespace hqe
