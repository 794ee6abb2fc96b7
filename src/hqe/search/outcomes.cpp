// SPDX-License-Identifier: MIT
#include "hqe/search/outcomes.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace hqe {
namespace {

std::uint64_t weigh(std::span<const std::uint64_t> bits, std::span<const std::uint32_t> weights) {
  std::uint64_t sum = 0;
  for (std::size_t word = 0; word < bits.size(); ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
      sum += weights[word * 64 + static_cast<std::size_t>(std::countr_zero(left))];
    }
  }
  return sum;
}

/// Sets `count` bits from `begin` on.
void set_bits(std::span<std::uint64_t> row, std::uint64_t begin, std::uint64_t count) {
  for (const std::uint64_t end = begin + count; begin < end;) {
    const std::uint64_t here = std::min(end - begin, 64 - begin % 64);
    const std::uint64_t mask = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    row[begin / 64] |= mask << (begin % 64);
    begin += here;
  }
}

}  // namespace

PairedCounts paired_counts(const Contests& contests, TeamView first, TeamView second) {
  return paired_counts(contests, contests.right_patterns(first), second);
}

PairedCounts paired_counts(const Contests& contests, std::span<const std::uint64_t> first_right,
                           TeamView second) {
  const std::vector<std::uint64_t> right = contests.right_patterns(second);
  std::vector<std::uint64_t> only_first(right.size()), only_second(right.size());
  for (std::size_t word = 0; word < right.size(); ++word) {
    only_first[word] = first_right[word] & ~right[word];
    only_second[word] = right[word] & ~first_right[word];
  }
  return {.total = contests.summary().samples,
          .only_first = weigh(only_first, contests.weights()),
          .only_second = weigh(only_second, contests.weights())};
}

OutcomeRows outcome_rows(const Contests& contests, const TeamTable& teams, const Run& run) {
  const std::uint64_t contested = contests.summary().contested;
  OutcomeRows rows{.sample_count = contests.summary().samples,
                   .bit_count = contested,
                   .words = static_cast<std::size_t>((contested + 63) / 64)};
  const std::span<const std::uint32_t> weights = contests.weights();
  std::vector<std::uint64_t> patterns = contests.right_patterns(teams, run);
  if (contested == contests.summary().patterns) {
    rows.bits = std::move(patterns);
    return rows;
  }
  rows.bits.resize(rows.words * teams.size());
  const std::size_t words = teams.empty() ? 0 : patterns.size() / teams.size();
  parallel_for(run, "judging the choice", teams.size(), 16,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::uint64_t i = begin; i < end; ++i) {
                   const std::span row = std::span(rows.bits).subspan(i * rows.words, rows.words);
                   const std::span bits = std::span(patterns).subspan(i * words, words);
                   std::uint64_t place = 0;
                   for (std::size_t pattern = 0; pattern < weights.size(); ++pattern) {
                     if ((bits[pattern / 64] >> (pattern % 64)) & 1) {
                       set_bits(row, place, weights[pattern]);
                     }
                     place += weights[pattern];
                   }
                 }
               });
  return rows;
}

}  // namespace hqe
