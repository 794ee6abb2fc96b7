// SPDX-License-Identifier: MIT
/// Lets every method choose on one set of samples, and counts what it chose.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "hqe/methods/compare.h"
#include "hqe/methods/rounds.h"
#include "hqe/search/search_space.h"

namespace hqe {

/// Called before each piece of work with its name.
using WorkNotice = std::function<void(std::string_view)>;

/// The right answers of all allowed teams of the size together, where they were counted.
using SumOfAllTeams = std::optional<std::uint64_t>;

/// The choices of `options.methods` (none: all), in the order of the methods, chosen on the
/// selection samples of `space` and counted on these and on its test samples where it has some.
/// `both`: the sum over selection and test samples together, where it is known; the vote's rule is
/// the same on them. `selection`: set to that over the selection samples.
struct KnownSums {
  SumOfAllTeams both, selection;
};
[[nodiscard]] std::vector<MethodChoice> choose(SearchSpace& space, const CompareOptions& options,
                                               std::uint64_t seed, const WorkNotice& notice,
                                               KnownSums& sums);

/// How many pieces of work choose() announces.
[[nodiscard]] int work_count(const CompareOptions& options);

/// What hierarchical pruning is asked for a comparison.
[[nodiscard]] PruneOptions prune_options(const CompareOptions& options, const Pool& pool);

/// True where the method takes part.
[[nodiscard]] bool takes_part(const CompareOptions& options, Method method);

}  // namespace hqe
