// SPDX-License-Identifier: MIT
/// The vector loops under log_shares.h and tempering.h. Private to calibration/.

#pragma once

#include <cstddef>
#include <span>

namespace hqe {

/// Sums over a row are eight sums, class c in sum c % 8, added in one order: the same bits for
/// vectors of any width.
inline constexpr std::size_t kernel_lanes = 8;

[[nodiscard]] constexpr std::size_t padded_to_lanes(std::size_t count) {
  return (count + kernel_lanes - 1) / kernel_lanes * kernel_lanes;
}

/// Turns a row of `classes` weighted sums into ln(p_c / p_answer), where p_c = sum_c / weights and
/// what is below 1e-15 is taken as that, and fills up its padding. The bits are those of
/// portable_log(). Requires: sums in [0, 2 weights), a row of padded_to_lanes(classes) numbers.
void take_logarithms(std::span<double> row, std::size_t classes, double weights);

/// Sums over the classes of e = exp(inverse * log), log being what take_logarithms() made.
struct TemperedRow {
  double shares = 0;     ///< Of e.
  double squared = 0;    ///< Of e^2.
  double slope = 0;      ///< Of e log.
  double curvature = 0;  ///< Of e log^2.
};

/// The bits of e are those of portable_exp(). Requires: a padded row, 0 < inverse <= 20.
[[nodiscard]] TemperedRow temper(std::span<const double> row, double inverse);

/// slope / shares of temper(), off by at most rough_error of it and least_rough_error, for a third
/// of the operations; other bits on other targets. Requires: the same.
[[nodiscard]] double rough_mean(std::span<const double> row, double inverse);
inline constexpr double rough_error = 1e-4;
inline constexpr double least_rough_error = 1e-290;  // What padding may add.

}  // namespace hqe
