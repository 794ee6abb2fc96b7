// SPDX-License-Identifier: MIT
#include "hqe/evaluation/errors.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "hqe/bits/unset_vector.h"
#include "hqe/predictions/sample_scores.h"

namespace hqe {
namespace {

// The mean of `correlation(i, j)` over the pairs of places that have one. Called from the threads
// of `run`.
template <class Correlation>
std::optional<double> mean_over_pairs(std::size_t size, const Run& run,
                                      const Correlation& correlation) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) pairs.emplace_back(i, j);
  }
  std::vector<std::optional<double>> correlations(pairs.size());
  parallel_for(run, "correlating errors", pairs.size(), 1,
               [&](std::uint64_t pair, std::uint64_t, int) {
                 correlations[pair] = correlation(pairs[pair].first, pairs[pair].second);
               });
  double sum = 0;
  std::uint64_t known = 0;
  for (const std::optional<double>& value : correlations) {
    if (!value) continue;
    sum += *value;
    ++known;
  }
  if (known == 0) return std::nullopt;
  return sum / static_cast<double>(known);
}

/// A member's posterior errors.
struct Posterior {
  UnsetVector<double> deviations;  ///< From their mean; first the errors themselves.
  double squares = 0;              ///< Sum of squared deviations.
  bool constant = false;
};

void read_errors(const Pool& pool, TeamView team, std::uint64_t begin, std::uint64_t end,
                 std::span<Posterior> members) {
  std::vector<double> row, shares(team.size());
  for (std::uint64_t sample = begin; sample < end; ++sample) {
    scores_of_truth(pool, team, sample, shares, row);
    for (std::size_t m = 0; m < team.size(); ++m) members[m].deviations[sample] = 1 - shares[m];
  }
}

void take_deviations(Posterior& result) {
  // Asked of the values themselves: rounding leaves a mean that is not quite the common value.
  const auto [least, most] = std::ranges::minmax(result.deviations);
  result.constant = least == most;
  const double mean = std::accumulate(result.deviations.begin(), result.deviations.end(), 0.0) /
                      static_cast<double>(result.deviations.size());
  for (double& deviation : result.deviations) {
    deviation -= mean;
    result.squares += deviation * deviation;
  }
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
  const auto correlation = [&](std::size_t i, std::size_t j) -> std::optional<double> {
    if (spread(i) == 0 || spread(j) == 0) return std::nullopt;
    __extension__ using Product = __int128;
    const Product covariance = Product{sample_count} * co_failures[team[i] * models + team[j]] -
                               Product{failures(i)} * failures(j);
    return static_cast<double>(covariance) / (std::sqrt(spread(i)) * std::sqrt(spread(j)));
  };
  return mean_over_pairs(team.size(), {.threads = 1}, correlation);
}

std::optional<double> posterior_error_correlation(const Pool& pool, TeamView team, const Run& run) {
  if (!has_scores(pool.kind) || pool.sample_count == 0) return std::nullopt;
  std::vector<Posterior> members(team.size());
  for (Posterior& member : members) member.deviations.resize(pool.sample_count);
  parallel_for(run, "reading posterior errors", pool.sample_count, 4096,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 read_errors(pool, team, begin, end, members);
               });
  parallel_for(run, "correlating errors", members.size(), 1,
               [&](std::uint64_t member, std::uint64_t, int) { take_deviations(members[member]); });
  const auto correlation = [&](std::size_t i, std::size_t j) -> std::optional<double> {
    const Posterior& a = members[i];
    const Posterior& b = members[j];
    if (a.constant || b.constant) return std::nullopt;
    const double covariance =
        std::inner_product(a.deviations.begin(), a.deviations.end(), b.deviations.begin(), 0.0);
    return covariance / (std::sqrt(a.squares) * std::sqrt(b.squares));
  };
  return mean_over_pairs(team.size(), run, correlation);
}

double added_error_ratio(int team_size, double delta) {
  assert(team_size >= 1);
  return (1 + (team_size - 1) * delta) / team_size;
}

}  // namespace hqe
