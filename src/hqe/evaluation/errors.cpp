// SPDX-License-Identifier: MIT
#include "hqe/evaluation/errors.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

#include "hqe/predictions/scan.h"

namespace hqe {
namespace {

// The mean of `correlation(i, j)` over the pairs of places that have one.
template <class Correlation>
std::optional<double> mean_over_pairs(std::size_t size, const Correlation& correlation) {
  double sum = 0;
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      const std::optional<double> value = correlation(i, j);
      if (!value) continue;
      sum += *value;
      ++pairs;
    }
  }
  if (pairs == 0) return std::nullopt;
  return sum / static_cast<double>(pairs);
}

/// A member's posterior errors.
struct Posterior {
  std::vector<double> deviations;  ///< From their mean.
  double squares = 0;              ///< Sum of squared deviations.
  bool constant = false;
};

void read_errors(const Pool& pool, ModelId model, std::uint64_t begin, std::uint64_t end,
                 std::span<double> errors) {
  std::vector<double> row;
  for (std::uint64_t sample = begin; sample < end; ++sample) {
    const std::int32_t truth[] = {pool.true_label(sample)};
    double share[] = {0};
    scores_of_classes(pool, model, sample, truth, share, 1, row);
    errors[sample] = 1 - share[0];
  }
}

Posterior posterior_of(const Pool& pool, ModelId model, const Run& run) {
  Posterior result{.deviations = std::vector<double>(pool.sample_count)};
  parallel_for(run, "reading posterior errors", pool.sample_count, 4096,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 read_errors(pool, model, begin, end, result.deviations);
               });
  // Asked of the values themselves: rounding leaves a mean that is not quite the common value.
  const auto [least, most] = std::ranges::minmax(result.deviations);
  result.constant = least == most;
  const double mean = std::accumulate(result.deviations.begin(), result.deviations.end(), 0.0) /
                      static_cast<double>(pool.sample_count);
  for (double& deviation : result.deviations) {
    deviation -= mean;
    result.squares += deviation * deviation;
  }
  return result;
}

}  // namespace

std::optional<double> error_correlation(TeamView team, std::uint64_t sample_count,
                                        std::span<const std::uint64_t> co_failures,
                                        int model_count) {
  const auto models = static_cast<std::size_t>(model_count);
  assert(co_failures.size() == models * models);
  const auto failures = [&](std::size_t i) { return co_failures[team[i] * models + team[i]]; };
  // n^2 times a variance: 0 exactly where the member is constant.
  const auto spread = [&](std::size_t i) {
    return static_cast<double>(failures(i)) * static_cast<double>(sample_count - failures(i));
  };
  return mean_over_pairs(team.size(), [&](std::size_t i, std::size_t j) -> std::optional<double> {
    if (spread(i) == 0 || spread(j) == 0) return std::nullopt;
    __extension__ using Wide = __int128;
    const Wide covariance = Wide{sample_count} * co_failures[team[i] * models + team[j]] -
                            Wide{failures(i)} * failures(j);
    return static_cast<double>(covariance) / (std::sqrt(spread(i)) * std::sqrt(spread(j)));
  });
}

std::optional<double> posterior_error_correlation(const Pool& pool, TeamView team, const Run& run) {
  if (!has_scores(pool.kind) || pool.sample_count == 0) return std::nullopt;
  std::vector<Posterior> members;
  for (const ModelId model : team) members.push_back(posterior_of(pool, model, run));
  return mean_over_pairs(team.size(), [&](std::size_t i, std::size_t j) -> std::optional<double> {
    const Posterior& a = members[i];
    const Posterior& b = members[j];
    if (a.constant || b.constant) return std::nullopt;
    const double covariance =
        std::inner_product(a.deviations.begin(), a.deviations.end(), b.deviations.begin(), 0.0);
    return covariance / (std::sqrt(a.squares) * std::sqrt(b.squares));
  });
}

double added_error_ratio(int team_size, double delta) {
  assert(team_size >= 1);
  return (1 + (team_size - 1) * delta) / team_size;
}

}  // namespace hqe
