// SPDX-License-Identifier: MIT
/// How stable a choice is: measured, not assumed.

#pragma once

#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"
#include "hqe/study/study.h"

namespace hqe {

/// Chooses again on options.stability resamples of the selection pool, drawn with replacement.
/// Costs as many studies; not measured where one of them scores millions of teams.
[[nodiscard]] Stability stability_of(const SearchSpace& space, const Searches& found,
                                     const Study& study);

}  // namespace hqe
