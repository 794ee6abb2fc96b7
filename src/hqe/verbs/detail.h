// SPDX-License-Identifier: MIT
/// What a report needs beyond the answer. Implemented in detail.cpp and deciding_samples.cpp.

#pragma once

#include "hqe/search/search.h"
#include "hqe/search/search_space.h"
#include "hqe/study/study.h"

namespace hqe {

/// At most this many deciding samples of each sort.
inline constexpr std::size_t most_deciding_samples = 20;

/// Requires: the searched teams were learned; counts of three models where they are shown.
[[nodiscard]] StudyDetail detail_of(const SearchSpace& space, const std::vector<Search>& searches,
                                    const std::optional<Team>& recommended);

/// Fills in the samples that a team repaired (some member wrong, the team right) and broke (some
/// member right, the team wrong): those on which most members were wrong, or right, come first.
void add_deciding_samples(StudyDetail& detail, const Measured& measured, const Team& team,
                          const Run& run);

}  // namespace hqe
