// SPDX-License-Identifier: MIT
/// The most accurate team of a size, by branch and bound, with a certificate.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/evaluation/contests.h"

namespace hqe {

struct BestTeamOptions {
  /// True for a team that may be chosen, and then for every part of it. Nothing: all may.
  std::function<bool(TeamView)> allows;
  /// Stop after about so many seconds. What is found then depends on the machine.
  std::optional<double> time_limit;
  /// Stop after about so many sums of margins were looked at, a few of them a nanosecond; the
  /// result is the same on every machine.
  std::optional<std::uint64_t> work_limit;
};

struct BestTeam {
  Team team;                      ///< Empty where no team of the size is allowed.
  std::uint64_t correct = 0;      ///< Of `team`.
  std::uint64_t upper_bound = 0;  ///< No allowed team of the size has more correct.
  bool is_proven = false;         ///< The search ended: upper_bound == correct.
  std::uint64_t counted = 0;      ///< Teams whose correct count was taken.
  std::uint64_t work = 0;         ///< Sums of margins looked at.
};

/// The allowed team of `team_size` with the most correct answers; ties: team order. Where a limit
/// ends the search, the best team found and a bound that no team exceeds.
///
/// Depth first over models by ascending accuracy. A node keeps only the patterns that its team's
/// completions can still win or lose; those already won and those still open bound what any
/// completion can reach. One thread. Requires: 1 <= team_size <= contests.model_count().
[[nodiscard]] BestTeam best_team(const Contests& contests, int team_size,
                                 const BestTeamOptions& options, const Run& run);

}  // namespace hqe
