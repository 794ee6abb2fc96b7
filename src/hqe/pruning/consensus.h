// SPDX-License-Identifier: MIT
/// MAJORITY-F: the teams that more than half of the metrics keep.

#pragma once

#include <span>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

/// What one metric kept.
struct Opinion {
  TeamList teams{1};           ///< Any order.
  std::vector<double> scores;  ///< One a team.
};

/// Teams that more than half of the opinions keep, in team order. Columns of equal length.
struct AgreedTeams {
  TeamList teams{1};
  std::vector<int> votes;
  std::vector<double> scores;  ///< Mean over the metrics that kept the team.
};

/// O(n) for opinions in team order. Requires: one team size.
[[nodiscard]] AgreedTeams agreed_teams(std::span<const Opinion> opinions);

struct ConsensusTeam {
  Team team;
  int votes = 0;
  double score = 0;  ///< Mean over the metrics that kept it.
};

/// The same, ordered by votes, then mean score (rounded to 12 decimals), then team order.
[[nodiscard]] std::vector<ConsensusTeam> consensus(std::span<const Opinion> opinions);

}  // namespace hqe
