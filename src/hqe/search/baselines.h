// SPDX-License-Identifier: MIT
/// What a selection is held against besides the entire ensemble. Private to search/.

#pragma once

#include "hqe/search/quality.h"
#include "hqe/search/search_space.h"
#include "hqe/study/study.h"

namespace hqe {

/// The three baselines of a size.
[[nodiscard]] Baselines baselines_of(const SearchSpace& space, int size,
                                     const Population& population_of_size);

}  // namespace hqe
