// SPDX-License-Identifier: MIT
#include "hqe/methods/ranks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "hqe/base/elementary.h"
#include "hqe/statistics/normal.h"

namespace hqe {
namespace {

/// 95 % quantiles of the studentised range with infinite degrees of freedom over sqrt(2), for 2 to
/// 64 methods.
constexpr std::array nemenyi_quantiles{
    1.959964, 2.343701, 2.569032, 2.727774, 2.849705, 2.948320, 3.030878, 3.101730, 3.163684,
    3.218654, 3.268004, 3.312739, 3.353618, 3.391230, 3.426041, 3.458425, 3.488685, 3.517073,
    3.543799, 3.569040, 3.592946, 3.615646, 3.637252, 3.657861, 3.677556, 3.696413, 3.714498,
    3.731869, 3.748578, 3.764672, 3.780193, 3.795179, 3.809664, 3.823680, 3.837254, 3.850413,
    3.863181, 3.875579, 3.887627, 3.899344, 3.910747, 3.921852, 3.932673, 3.943224, 3.953518,
    3.963566, 3.973379, 3.982969, 3.992343, 4.001512, 4.010485, 4.019268, 4.027869, 4.036297,
    4.044556, 4.052654, 4.060597, 4.068390, 4.076038, 4.083547, 4.090921, 4.098166, 4.105284};

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

double chi_square_tail(double x, int degrees) {
  if (x <= 0) return 1;
  // Term by term: e^(-x/2) sum (x/2)^i / i! over whole i below degrees/2, or over half i.
  const double half = x / 2;
  const bool is_odd = degrees % 2 == 1;
  double sum = is_odd ? 2 * normal_cdf(-std::sqrt(x)) : 0;
  const double root_of_pi = 1.7724538509055160273;
  double term = is_odd ? exact_exp(-half) * std::sqrt(half) * 2 / root_of_pi : exact_exp(-half);
  for (int i = is_odd ? 3 : 2; i <= degrees; i += 2) {
    sum += term;
    term *= half / (static_cast<double>(i) / 2);
  }
  return std::min(1.0, sum);
}

std::optional<Friedman> friedman_test(const std::vector<std::vector<double>>& ranks) {
  if (ranks.size() < 2 || ranks.front().size() < 2) return std::nullopt;
  const auto splits = static_cast<double>(ranks.size());
  const auto methods = static_cast<double>(ranks.front().size());
  const double middle = (methods + 1) / 2;
  double between = 0;
  double within = 0;
  for (std::size_t method = 0; method < ranks.front().size(); ++method) {
    double sum = 0;
    for (const auto& split : ranks) {
      sum += split[method];
      within += (split[method] - middle) * (split[method] - middle);
    }
    between += (sum - splits * middle) * (sum - splits * middle);
  }
  if (within == 0) return std::nullopt;
  const int degrees = static_cast<int>(ranks.front().size()) - 1;
  const double statistic = degrees * between / within;
  return Friedman{statistic, degrees, chi_square_tail(statistic, degrees)};
}

std::optional<double> critical_difference(std::size_t methods, std::size_t splits) {
  if (methods < 2 || splits < 2 || methods - 2 >= nemenyi_quantiles.size()) return std::nullopt;
  const auto k = static_cast<double>(methods);
  return nemenyi_quantiles[methods - 2] *
         std::sqrt(k * (k + 1) / (6 * static_cast<double>(splits)));
}

std::vector<std::pair<int, int>> groups_within(const std::vector<double>& mean_ranks,
                                               double difference) {
  std::vector<std::pair<int, int>> groups;
  std::size_t reached = 0;
  for (std::size_t first = 0; first < mean_ranks.size(); ++first) {
    std::size_t last = first;
    while (last + 1 < mean_ranks.size() && mean_ranks[last + 1] - mean_ranks[first] <= difference) {
      ++last;
    }
    if (last > first && (groups.empty() || last > reached)) {
      groups.emplace_back(static_cast<int>(first), static_cast<int>(last));
      reached = last;
    }
  }
  return groups;
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

}  // namespace hqe
