// SPDX-License-Identifier: MIT
#include "hqe/diversity/errors.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "hqe/bits/unset_vector.h"
#include "hqe/scan/sample_scores.h"

namespace hqe {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs pairs_of(std::size_t size) {
  Pairs pairs;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) pairs.emplace_back(i, j);
  }
  return pairs;
}

/// The mean of those that there are.
std::optional<double> mean_of(std::span<const std::optional<double>> correlations) {
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

void take_errors(const TruthShares& kept, TeamView team, std::uint64_t begin, std::uint64_t end,
                 std::span<Posterior> members) {
  for (std::size_t m = 0; m < team.size(); ++m) {
    for (std::uint64_t sample = begin; sample < end; ++sample) {
      members[m].deviations[sample] = 1 - kept.of(team[m], sample);
    }
  }
}

void read_errors(const Pool& pool, TeamView team, std::uint64_t begin, std::uint64_t end,
                 std::span<Posterior> members) {
  std::vector<double> row, shares(team.size());
  for (std::uint64_t sample = begin; sample < end; ++sample) {
    scores_of_truth(pool, team, sample, shares, row);
    for (std::size_t m = 0; m < team.size(); ++m) members[m].deviations[sample] = 1 - shares[m];
  }
}

/// So many sums are taken side by side: each of them waits for its own last number, whose order is
/// fixed, and not for those of the others.
constexpr std::size_t sums_at_once = 8;

/// Requires: at most sums_at_once members, each with the same number of samples.
void take_deviations(std::span<Posterior> members) {
  const std::size_t samples = members.front().deviations.size();
  std::array<double*, sums_at_once> values{};
  std::array<double, sums_at_once> sums{}, squares{};
  for (std::size_t m = 0; m < members.size(); ++m) {
    values[m] = members[m].deviations.data();
    // Asked of the values themselves: rounding leaves a mean that is not quite the common value.
    const double first = values[m][0];
    members[m].constant = std::ranges::all_of(members[m].deviations,
                                              [first](double value) { return value == first; });
  }
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t m = 0; m < members.size(); ++m) sums[m] += values[m][i];
  }
  for (double& sum : sums) sum /= static_cast<double>(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double deviation = values[m][i] - sums[m];
      values[m][i] = deviation;
      squares[m] += deviation * deviation;
    }
  }
  for (std::size_t m = 0; m < members.size(); ++m) members[m].squares = squares[m];
}

/// The sums of products of both members' deviations, of each pair. Requires: at most sums_at_once.
std::array<double, sums_at_once> products_of(std::span<const Posterior> members,
                                             std::span<const Pairs::value_type> pairs) {
  const std::size_t samples = members.front().deviations.size();
  std::array<const double*, sums_at_once> first{}, second{};
  for (std::size_t k = 0; k < sums_at_once; ++k) {
    // Those that are too few are told again, which nobody reads.
    const auto& [i, j] = pairs[std::min(k, pairs.size() - 1)];
    first[k] = members[i].deviations.data();
    second[k] = members[j].deviations.data();
  }
  std::array<double, sums_at_once> sums{};
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t k = 0; k < sums_at_once; ++k) sums[k] += first[k][i] * second[k][i];
  }
  return sums;
}

}  // namespace

void TruthShares::start(const Pool& pool, int) {
  shares_ = nullptr;
  sample_count_ = pool.sample_count;
  const auto has_long_rows = [](const Model& model) {
    const DType dtype = model.predictions.dtype;
    const auto columns = static_cast<std::uint64_t>(model.predictions.columns());
    return dtype != DType::float64 && columns * size_of(dtype) >= shortest_row_bytes;
  };
  const std::uint64_t count = pool.models.size() * sample_count_;
  if (pool.kind != Kind::probabilities || pool.digest || count * sizeof(float) > most_bytes ||
      !std::ranges::all_of(pool.models, has_long_rows)) {
    return;
  }
  shares_ = std::make_unique_for_overwrite<float[]>(count);
}

void TruthShares::consume(const Block& block, int) {
  if (!has_samples()) return;
  std::vector<double> unused;
  for (std::size_t model = 0; model < block.pool->models.size(); ++model) {
    float* const shares = shares_.get() + model * sample_count_ + block.first;
    for (int i = 0; i < block.count; ++i) {
      const std::uint64_t sample = block.first + static_cast<std::uint64_t>(i);
      double share = 0;
      scores_of_classes(*block.pool, static_cast<ModelId>(model), sample,
                        block.truth.subspan(static_cast<std::size_t>(i), 1), &share, 1, unused);
      // Exact: what is read is no wider than a float.
      shares[i] = static_cast<float>(share);
    }
  }
}

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
  std::vector<std::optional<double>> correlations;
  for (const auto& [i, j] : pairs_of(team.size())) correlations.push_back(correlation(i, j));
  return mean_of(correlations);
}

std::optional<double> posterior_error_correlation(const Pool& pool, TeamView team, const Run& run,
                                                  const TruthShares* kept) {
  if (!has_scores(pool.kind) || pool.sample_count == 0) return std::nullopt;
  std::vector<Posterior> members(team.size());
  for (Posterior& member : members) member.deviations.resize(pool.sample_count);
  parallel_for(run, "reading posterior errors", pool.sample_count, 4096,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 if (kept != nullptr && kept->has_samples()) {
                   take_errors(*kept, team, begin, end, members);
                 } else {
                   read_errors(pool, team, begin, end, members);
                 }
               });
  parallel_for(run, "correlating errors", members.size(), sums_at_once,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 take_deviations(std::span(members).subspan(begin, end - begin));
               });
  const Pairs pairs = pairs_of(team.size());
  std::vector<std::optional<double>> correlations(pairs.size());
  parallel_for(run, "correlating errors", pairs.size(), sums_at_once,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 const auto products =
                     products_of(members, std::span(pairs).subspan(begin, end - begin));
                 for (std::uint64_t pair = begin; pair < end; ++pair) {
                   const Posterior& a = members[pairs[pair].first];
                   const Posterior& b = members[pairs[pair].second];
                   if (a.constant || b.constant) continue;
                   correlations[pair] =
                       products[pair - begin] / (std::sqrt(a.squares) * std::sqrt(b.squares));
                 }
               });
  return mean_of(correlations);
}

double added_error_ratio(int team_size, double delta) {
  assert(team_size >= 1);
  return (1 + (team_size - 1) * delta) / team_size;
}

}  // namespace hqe
