// SPDX-License-Identifier: MIT
/// How strongly the errors of a team's members go together (spec section 6).

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// The error correlation delta of a team: the mean over pairs of members of the Pearson correlation
/// of their failure indicators. Pairs with a member that always or never fails are skipped; nothing
/// if none remains. `co_failures` is a_ij, M x M, with a_ii = failures of i. O(S^2).
[[nodiscard]] std::optional<double> error_correlation(TeamView team, std::uint64_t sample_count,
                                                      std::span<const std::uint64_t> co_failures,
                                                      int model_count);

/// The same of the posterior errors 1 - p(y), where p(y) is what a member gives the true class.
/// Reads the members' scores of the true classes again; S doubles a sample of memory. The same bits
/// for any number of threads. Nothing also where the pool has no scores.
[[nodiscard]] std::optional<double> posterior_error_correlation(const Pool& pool, TeamView team,
                                                                const Run& run);

/// The share of a single member's added error that an average of S members keeps when their errors
/// correlate by delta: (1 + (S - 1) delta) / S. Requires: team_size >= 1.
[[nodiscard]] double added_error_ratio(int team_size, double delta);

}  // namespace hqe
