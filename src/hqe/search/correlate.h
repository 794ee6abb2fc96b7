// SPDX-License-Identifier: MIT
/// How well scores foretold accuracy.

#pragma once

#include <vector>

#include "hqe/search/search.h"
#include "hqe/search/search_space.h"
#include "hqe/study/study.h"

namespace hqe {

/// How well one search's metric, and beside a focal one its baseline, foretold accuracy: a
/// correlation a tier.
struct SearchCorrelations {
  std::vector<Correlation> scores;
  std::vector<Correlation> baselines;  ///< Empty unless the metric is focal.
};

/// One a search. Requires: the searched teams were learned.
[[nodiscard]] std::vector<SearchCorrelations> correlate(const std::vector<Search>& searches,
                                                        const SearchSpace& space);

}  // namespace hqe
