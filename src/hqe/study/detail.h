// SPDX-License-Identifier: MIT
/// What a report needs beyond the answer.

#pragma once

#include "hqe/study/prepare.h"
#include "hqe/study/search.h"
#include "hqe/study/study.h"

namespace hqe {

/// Up to here a report shows the co-failures of three models.
inline constexpr int most_models_for_focal_table = 64;

/// At most this many deciding samples of each sort.
inline constexpr std::size_t most_deciding_samples = 20;

/// Requires: the searched teams were learned; counts of three models where they are shown.
[[nodiscard]] StudyDetail detail_of(const Prepared& prepared, const std::vector<Search>& searches,
                                    const std::optional<Team>& recommended);

/// Fills in the samples that a team repaired (some member wrong, the team right) and broke (some
/// member right, the team wrong): those on which most members were wrong, or right, come first.
void add_deciding_samples(StudyDetail& detail, const Measured& measured, const Team& team,
                          const Run& run);

}  // namespace hqe
