// SPDX-License-Identifier: MIT
/// How good a selection is: spec section 6.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hqe/search/search_space.h"
#include "hqe/study/study.h"

namespace hqe {

/// The teams that could have been selected.
struct Population {
  std::optional<std::uint64_t> teams;  ///< Nothing above 2^53.
  std::optional<std::uint64_t> good, test_good;
  std::string not_computed;  ///< Why there is no `good`; else empty.
};

/// Counts the good teams among the eligible ones of sizes `first`..`last`, learning the correct
/// counts of all of them, unless a size has more than max_evaluate.
[[nodiscard]] Population count_population(SearchSpace& space, int first, int last);

/// The eligible team of a size with the most correct; ties: team order. Requires: the size's
/// population was counted.
[[nodiscard]] std::optional<TeamFigures> best_of_size(const SearchSpace& space, int size);

/// How many of these values reach that of the entire ensemble.
template <class Value, class Reference>
[[nodiscard]] std::uint64_t count_good(const std::vector<Value>& values,
                                       const Reference& reference) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(values, [&](const Value& value) { return value >= reference; }));
}

/// The correct counts of a selection, as far as its quality depends on them.
struct CountExtent {
  std::uint64_t selected = 0;
  std::uint64_t least = 0, most = 0;  ///< Where any were selected.
};
template <class Value>
[[nodiscard]] CountExtent extent_of(const std::vector<Value>& correct) {
  if (correct.empty()) return {};
  const auto [least, most] = std::ranges::minmax_element(correct);
  return {.selected = correct.size(), .least = *least, .most = *most};
}

/// Figures of a selection with these correct counts, `true_positive` of which are good.
/// `team_size`: nothing when sizes differ.
[[nodiscard]] Quality quality_of(const CountExtent& correct, std::uint64_t true_positive,
                                 const Population& population, std::optional<std::uint64_t> good,
                                 int model_count, std::optional<int> team_size);

/// Fills in the quality of a selection whose correct counts are known.
void add_quality(Selection& selection, const SearchSpace& space, const Population& population,
                 std::optional<int> team_size);

}  // namespace hqe
