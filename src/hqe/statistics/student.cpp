// SPDX-License-Identifier: MIT
#include "hqe/statistics/student.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace hqe {
namespace {

constexpr double pi = 3.14159265358979323846;

/// The angle of a positive slope. The library's atan may differ in its last bit from machine to
/// machine; square roots do not.
double angle_of(double slope) {
  double halvings = 1;
  while (slope > 0.05) {
    slope /= 1 + std::sqrt(1 + slope * slope);
    halvings *= 2;
  }
  double sum = 0;
  double power = slope;
  for (int odd = 1; odd < 21; odd += 2) {
    sum += (odd % 4 == 1 ? power : -power) / odd;
    power *= slope * slope;
  }
  return halvings * sum;
}

}  // namespace

// For whole degrees the distribution is a finite sum (Abramowitz and Stegun 26.7.3, 26.7.4).
double student_two_sided_tail(double t, int degrees) {
  assert(t >= 0 && degrees >= 1);
  if (std::isinf(t)) return 0;
  const double nu = degrees;
  const double cosine = std::sqrt(nu / (nu + t * t));
  const double sine = std::sqrt(t * t / (nu + t * t));
  const bool is_odd = degrees % 2 == 1;
  double term = is_odd ? cosine : 1;
  double sum = 0;
  for (int k = is_odd ? 1 : 0; k < degrees - 1; k += 2) {
    sum += term;
    term *= cosine * cosine * (k + 1) / (k + 2);
  }
  const double within = is_odd ? 2 / pi * (angle_of(t / std::sqrt(nu)) + sine * sum) : sine * sum;
  return std::clamp(1 - within, 0.0, 1.0);
}

double student_critical_value(double tail, int degrees) {
  assert(tail > 0 && tail < 1);
  double high = 1;
  while (student_two_sided_tail(high, degrees) > tail) high *= 2;
  double low = 0;
  for (int halvings = 0; halvings < 60; ++halvings) {
    const double middle = (low + high) / 2;
    (student_two_sided_tail(middle, degrees) > tail ? low : high) = middle;
  }
  return high;
}

namespace {

double mean_of(const std::vector<double>& differences) {
  double mean = 0;
  for (const double difference : differences) {
    mean += difference / static_cast<double>(differences.size());
  }
  return mean;
}

}  // namespace

double corrected_resampled_error(const std::vector<double>& differences,
                                 double held_out_per_selection) {
  assert(differences.size() >= 2);
  const auto splits = static_cast<double>(differences.size());
  const double mean = mean_of(differences);
  double squares = 0;
  for (const double difference : differences) {
    squares += (difference - mean) * (difference - mean);
  }
  return std::sqrt(squares / (splits - 1) * (1 / splits + held_out_per_selection));
}

double corrected_resampled_p_value(const std::vector<double>& differences,
                                   double held_out_per_selection) {
  if (std::ranges::all_of(differences, [](double each) { return each == 0; })) return 1;
  const double error = corrected_resampled_error(differences, held_out_per_selection);
  const double t =
      error > 0 ? std::abs(mean_of(differences)) / error : std::numeric_limits<double>::infinity();
  return student_two_sided_tail(t, static_cast<int>(differences.size()) - 1);
}

}  // namespace hqe
