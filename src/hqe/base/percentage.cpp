// SPDX-License-Identifier: MIT
#include "hqe/base/percentage.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

namespace hqe {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t power_of_ten(int exponent) {
  std::uint64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

/// `digits` is the percentage without its point.
std::string with_point(Wide digits, int decimals) {
  if (decimals == 0) return fmt::to_string(digits);
  const std::uint64_t unit = power_of_ten(decimals);
  return fmt::format("{}.{:0{}}", digits / unit, digits % unit, decimals);
}

}  // namespace

std::string count_percentage(std::uint64_t part, std::uint64_t whole, int decimals) {
  assert(whole > 0 && decimals >= 0 && decimals <= 10);
  const Wide doubled = Wide{2} * part * power_of_ten(decimals + 2);
  return with_point((doubled + whole) / (Wide{2} * whole), decimals);
}

std::string fraction_percentage(double fraction, int decimals) {
  assert(decimals >= 0 && decimals <= 10);
  // A half may come as a little less, by the rounding of the quotient and of this product: 2^-52 of
  // it. What is no half is further off than 2^-46 of it, where counts are below 2^31.
  constexpr double more_than_rounding = 1 + 0x1p-50;
  const double digits = std::abs(fraction) * static_cast<double>(power_of_ten(decimals + 2));
  if (!(digits < 0x1p52)) return fmt::format("{:.{}f}", 100 * std::abs(fraction), decimals);
  const double rounded = std::floor(digits * more_than_rounding + 0.5);
  return with_point(static_cast<std::uint64_t>(rounded), decimals);
}

}  // namespace hqe
