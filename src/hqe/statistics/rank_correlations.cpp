// SPDX-License-Identifier: MIT
#include "hqe/statistics/rank_correlations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "hqe/statistics/ranks.h"

namespace hqe {
namespace {

__extension__ using SignedWide = __int128;

/// Pearson's correlation of ranks. Ranks sum to n (n + 1) in both columns.
std::optional<double> pearson(const std::vector<std::uint32_t>& x,
                              const std::vector<std::uint32_t>& y) {
  const auto n = static_cast<SignedWide>(x.size());
  SignedWide xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += static_cast<SignedWide>(std::uint64_t{x[i]} * x[i]);
    yy += static_cast<SignedWide>(std::uint64_t{y[i]} * y[i]);
    xy += static_cast<SignedWide>(std::uint64_t{x[i]} * y[i]);
  }
  const SignedWide mean_part = n * (n + 1) * (n + 1);
  const auto spread = [&](SignedWide squares) { return static_cast<double>(squares - mean_part); };
  if (xx == mean_part || yy == mean_part) return std::nullopt;
  return spread(xy) / std::sqrt(spread(xx) * spread(yy));
}

std::uint64_t pairs(std::uint64_t n) { return n * (n - 1) / 2; }

/// Pairs of equal neighbours in a sorted sequence.
template <typename Equal>
std::uint64_t tied_pairs(std::size_t begin, std::size_t end, const Equal& equal) {
  std::uint64_t tied = 0;
  std::uint64_t run = 1;
  for (std::size_t i = begin + 1; i <= end; ++i) {
    if (i < end && equal(i - 1, i)) {
      ++run;
      continue;
    }
    tied += pairs(run);
    run = 1;
  }
  return tied;
}

/// Sorts `values`, all below `limit`, and counts the pairs that stood in the wrong order. Two that
/// agree in their leading bits and differ in the next are in order as that bit is, so the values
/// are parted bit by bit, as many times as there are bits, however many values there are.
std::uint64_t sort_and_count_inversions(std::vector<std::uint32_t>& values, std::uint32_t limit) {
  std::vector<std::uint32_t> upper(values.size());
  std::uint64_t inversions = 0;
  for (int bit = static_cast<int>(std::bit_width(limit - 1)) - 1; bit >= 0; --bit) {
    const auto leading = [bit](std::uint32_t value) { return value >> bit >> 1; };
    for (std::size_t begin = 0; begin < values.size();) {
      const std::uint32_t group = leading(values[begin]);
      std::size_t lower = begin, uppers = 0, i = begin;
      // Nobody can predict a bit, so nothing branches on it.
      for (; i < values.size() && leading(values[i]) == group; ++i) {
        const std::uint32_t value = values[i];
        const std::size_t is_upper = value >> bit & 1;
        values[lower] = value;
        upper[uppers] = value;
        lower += 1 - is_upper;
        uppers += is_upper;
        inversions += uppers & (is_upper - 1);
      }
      std::copy_n(upper.begin(), uppers, values.begin() + static_cast<std::ptrdiff_t>(lower));
      begin = i;
    }
  }
  return inversions;
}

/// Distinct values counted from the lowest, of each place; and how many they are.
struct Levels {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;
};

Levels levels_of(const Ranking& ranking) {
  Levels levels{.of = std::vector<std::uint32_t>(ranking.order.size())};
  for (std::size_t i = 0; i < ranking.order.size(); ++i) {
    const std::uint32_t place = ranking.order[i];
    const bool is_new =
        i == 0 || ranking.twice_ranks[place] != ranking.twice_ranks[ranking.order[i - 1]];
    levels.count += is_new ? 1 : 0;
    levels.of[place] = levels.count - 1;
  }
  return levels;
}

std::optional<double> kendall_tau_b(const Ranking& x, const Ranking& y) {
  const std::size_t n = x.order.size();
  const Levels levels = levels_of(y);
  std::vector<std::uint32_t> values(n);  // Of y, as x is ordered.
  std::ranges::transform(x.order, values.begin(), [&](std::size_t i) { return levels.of[i]; });
  const auto same_value = [&](std::size_t i, std::size_t j) { return values[i] == values[j]; };
  std::uint64_t tied_x = 0, tied_both = 0;
  for (std::size_t begin = 0; begin < n;) {
    const std::uint32_t rank = x.twice_ranks[x.order[begin]];
    std::size_t end = begin + 1;
    while (end < n && x.twice_ranks[x.order[end]] == rank) ++end;
    if (end - begin > 1) {
      const auto at = [&](std::size_t i) {
        return values.begin() + static_cast<std::ptrdiff_t>(i);
      };
      std::sort(at(begin), at(end));
      tied_x += pairs(end - begin);
      tied_both += tied_pairs(begin, end, same_value);
    }
    begin = end;
  }
  const std::uint64_t discordant = sort_and_count_inversions(values, levels.count);
  const std::uint64_t tied_y = tied_pairs(0, n, same_value);
  const std::uint64_t all = pairs(n);
  if (tied_x == all || tied_y == all) return std::nullopt;
  const auto difference = static_cast<std::int64_t>(all - tied_x - tied_y + tied_both) -
                          2 * static_cast<std::int64_t>(discordant);
  const auto untied_x = static_cast<double>(all - tied_x);
  const auto untied_y = static_cast<double>(all - tied_y);
  return static_cast<double>(difference) / std::sqrt(untied_x * untied_y);
}

}  // namespace

RankCorrelations rank_correlations(std::span<const double> scores, const Ranking& correct) {
  if (scores.size() < 2) return {};
  const Ranking ranking = ranking_of(scores);
  return {.spearman = pearson(ranking.twice_ranks, correct.twice_ranks),
          .kendall = kendall_tau_b(ranking, correct)};
}

RankCorrelations rank_correlations(std::span<const double> scores,
                                   std::span<const std::uint64_t> correct) {
  return rank_correlations(scores, ranking_of(correct));
}

}  // namespace hqe
