// SPDX-License-Identifier: MIT
#include "hqe/base/largest.h"

#include <algorithm>
#include <array>

namespace hqe {

double largest_of(std::span<const double> numbers) {
  // Eight side by side: each waits only for the one eight before it.
  std::array<double, 8> largest{};
  const std::size_t whole = numbers.size() / largest.size() * largest.size();
  for (std::size_t k = 0; k < whole; k += largest.size()) {
    for (std::size_t i = 0; i < largest.size(); ++i) {
      largest[i] = numbers[k + i] > largest[i] ? numbers[k + i] : largest[i];
    }
  }
  return std::max(std::ranges::max(largest),
                  whole == numbers.size() ? 0.0 : std::ranges::max(numbers.subspan(whole)));
}

std::size_t place_of_largest(std::span<const double> numbers) {
  // Looking for a number that is known needs no branch that nobody can foresee.
  return static_cast<std::size_t>(std::ranges::find(numbers, largest_of(numbers)) -
                                  numbers.begin());
}

double largest_but(std::span<const double> numbers, std::size_t place) {
  return std::max(largest_of(numbers.first(place)), largest_of(numbers.subspan(place + 1)));
}

}  // namespace hqe
