// SPDX-License-Identifier: MIT
/// Teams' outcomes as bits, a sample each.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team_table.h"
#include "hqe/evaluation/contests.h"
#include "hqe/statistics/chosen.h"
#include "hqe/statistics/intervals.h"

namespace hqe {

/// On which samples only one of two teams is right.
[[nodiscard]] PairedCounts paired_counts(const Contests& contests, TeamView first, TeamView second);
/// The same, where it is known on which patterns the first is right.
[[nodiscard]] PairedCounts paired_counts(const Contests& contests,
                                         std::span<const std::uint64_t> first_right,
                                         TeamView second);

/// The outcomes of teams on the contested samples: equal rows for equal teams, samples in an order
/// of their own that is the same for every call.
[[nodiscard]] OutcomeRows outcome_rows(const Contests& contests, const TeamTable& teams,
                                       const Run& run);

}  // namespace hqe
