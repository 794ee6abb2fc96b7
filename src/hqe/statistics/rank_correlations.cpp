// SPDX-License-Identifier: MIT
#include "hqe/statistics/rank_correlations.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hqe/statistics/ranks.h"

namespace hqe {
namespace {

__extension__ using SignedWide = __int128;

/// Pearson's correlation of ranks. Ranks sum to n (n + 1) in both columns.
std::optional<double> pearson(const std::vector<std::uint64_t>& x,
                              const std::vector<std::uint64_t>& y) {
  const auto n = static_cast<SignedWide>(x.size());
  SignedWide xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += static_cast<SignedWide>(x[i]) * x[i];
    yy += static_cast<SignedWide>(y[i]) * y[i];
    xy += static_cast<SignedWide>(x[i]) * y[i];
  }
  const SignedWide mean_part = n * (n + 1) * (n + 1);
  const auto spread = [&](SignedWide squares) { return static_cast<double>(squares - mean_part); };
  if (xx == mean_part || yy == mean_part) return std::nullopt;
  return spread(xy) / std::sqrt(spread(xx) * spread(yy));
}

std::uint64_t pairs(std::uint64_t n) { return n * (n - 1) / 2; }

/// Pairs of equal neighbours in a sorted sequence.
template <typename Equal>
std::uint64_t tied_pairs(std::size_t count, const Equal& equal) {
  std::uint64_t tied = 0;
  std::uint64_t run = 1;
  for (std::size_t i = 1; i <= count; ++i) {
    if (i < count && equal(i - 1, i)) {
      ++run;
      continue;
    }
    tied += pairs(run);
    run = 1;
  }
  return tied;
}

/// Sorts `values` and counts the pairs that stood in the wrong order (Knight 1966).
std::uint64_t sort_and_count_inversions(std::vector<std::uint64_t>& values) {
  std::vector<std::uint64_t> merged(values.size());
  std::uint64_t inversions = 0;
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, values.size());
      const std::size_t end = std::min(begin + 2 * width, values.size());
      std::size_t left = begin;
      std::size_t right = middle;
      std::size_t out = begin;
      // Nobody can predict which is lower, so nothing branches on it.
      while (left < middle && right < end) {
        const std::uint64_t lower = values[left];
        const std::uint64_t upper = values[right];
        const bool is_inverted = upper < lower;
        merged[out++] = is_inverted ? upper : lower;
        inversions += is_inverted ? middle - left : 0;
        left += is_inverted ? 0 : 1;
        right += is_inverted ? 1 : 0;
      }
      const auto at = [&](std::size_t i) {
        return values.begin() + static_cast<std::ptrdiff_t>(i);
      };
      const auto rest = std::copy(at(left), at(middle), merged.data() + out);
      std::copy(at(right), at(end), rest);
    }
    values.swap(merged);
  }
  return inversions;
}

/// Sorts places with equal x by y.
void order_ties(std::vector<std::uint32_t>& order, const std::vector<std::uint64_t>& x,
                const std::vector<std::uint64_t>& y) {
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::find_if(begin, order.end(), [&](auto i) { return x[i] != x[*begin]; });
    if (end - begin > 1) std::ranges::sort(begin, end, {}, [&](auto i) { return y[i]; });
    begin = end;
  }
}

std::optional<double> kendall_tau_b(Ranking ranking, const std::vector<std::uint64_t>& y) {
  const std::vector<std::uint64_t>& x = ranking.twice_ranks;
  std::vector<std::uint32_t>& order = ranking.order;
  const std::size_t n = x.size();
  order_ties(order, x, y);
  const std::uint64_t tied_x =
      tied_pairs(n, [&](std::size_t i, std::size_t j) { return x[order[i]] == x[order[j]]; });
  const std::uint64_t tied_both = tied_pairs(n, [&](std::size_t i, std::size_t j) {
    return x[order[i]] == x[order[j]] && y[order[i]] == y[order[j]];
  });
  std::vector<std::uint64_t> sorted_y(n);
  std::ranges::transform(order, sorted_y.begin(), [&](std::size_t i) { return y[i]; });
  const std::uint64_t discordant = sort_and_count_inversions(sorted_y);
  const std::uint64_t tied_y =
      tied_pairs(n, [&](std::size_t i, std::size_t j) { return sorted_y[i] == sorted_y[j]; });
  const std::uint64_t all = pairs(n);
  if (tied_x == all || tied_y == all) return std::nullopt;
  const auto difference = static_cast<std::int64_t>(all - tied_x - tied_y + tied_both) -
                          2 * static_cast<std::int64_t>(discordant);
  const auto untied_x = static_cast<double>(all - tied_x);
  const auto untied_y = static_cast<double>(all - tied_y);
  return static_cast<double>(difference) / std::sqrt(untied_x * untied_y);
}

}  // namespace

RankCorrelations rank_correlations(std::span<const double> scores,
                                   std::span<const std::uint64_t> correct) {
  if (scores.size() < 2) return {};
  Ranking x = ranking_of(scores);
  const Ranking y = ranking_of(correct);
  const std::optional<double> spearman = pearson(x.twice_ranks, y.twice_ranks);
  return {.spearman = spearman, .kendall = kendall_tau_b(std::move(x), y.twice_ranks)};
}

}  // namespace hqe
