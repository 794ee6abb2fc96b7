// SPDX-License-Identifier: MIT
#include "hqe/statistics/ranks.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace hqe {
namespace {

std::vector<std::size_t> sorted_places(std::size_t count, auto before) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, before);
  return places;
}

}  // namespace

std::vector<double> ranks_of(const std::vector<double>& values) {
  const auto places =
      sorted_places(values.size(), [&](auto a, auto b) { return values[a] > values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < places.size();) {
    std::size_t end = begin;
    while (end < places.size() && values[places[end]] == values[places[begin]]) ++end;
    const double shared = (static_cast<double>(begin + end) + 1) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks[places[i]] = shared;
    begin = end;
  }
  return ranks;
}

std::vector<double> holm_adjusted(const std::vector<double>& p_values) {
  const auto places =
      sorted_places(p_values.size(), [&](auto a, auto b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double times = static_cast<double>(places.size() - i);
    largest = std::max(largest, std::min(1.0, times * p_values[places[i]]));
    adjusted[places[i]] = largest;
  }
  return adjusted;
}

std::vector<double> holm_factors(const std::vector<double>& p_values, double level) {
  const auto places =
      sorted_places(p_values.size(), [&](auto a, auto b) { return p_values[a] < p_values[b]; });
  std::vector<double> factors(p_values.size());
  std::size_t steps = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    factors[places[i]] = static_cast<double>(places.size() - steps);
    if (steps == i && factors[places[i]] * p_values[places[i]] < level) ++steps;
  }
  return factors;
}

}  // namespace hqe
