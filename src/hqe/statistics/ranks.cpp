// SPDX-License-Identifier: MIT
#include "hqe/statistics/ranks.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace hqe {
namespace {

std::vector<std::size_t> sorted_places(std::size_t count, auto before) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, before);
  return places;
}

template <typename Value>
Ranking ranked(std::span<const Value> values) {
  // Values beside their places: sorting places alone would look up a value at every step.
  std::vector<std::pair<Value, std::uint32_t>> sorted(values.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) sorted[i] = {values[i], i};
  std::ranges::sort(sorted);
  Ranking result{.order = std::vector<std::uint32_t>(values.size()),
                 .twice_ranks = std::vector<std::uint64_t>(values.size())};
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    while (end < sorted.size() && sorted[end].first == sorted[begin].first) ++end;
    const auto twice = static_cast<std::uint64_t>(
        2 * mean_rank(static_cast<double>(begin), static_cast<double>(end - begin)));
    for (std::size_t i = begin; i < end; ++i) {
      result.order[i] = sorted[i].second;
      result.twice_ranks[sorted[i].second] = twice;
    }
    begin = end;
  }
  return result;
}

}  // namespace

Ranking ranking_of(std::span<const double> values) { return ranked(values); }

Ranking ranking_of(std::span<const std::uint64_t> values) { return ranked(values); }

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const std::uint64_t twice : ranking_of(values).twice_ranks) {
    // Counted from the other end, the ranks of a value sum to n + 1.
    ranks.push_back(static_cast<double>(2 * (values.size() + 1) - twice) / 2);
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
