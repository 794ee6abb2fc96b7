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

struct ConsensusTeam {
  Team team;
  int votes = 0;
  double score = 0;  ///< Mean over the metrics that kept it.
};

/// Ordered by votes, then mean score (rounded to 12 decimals), then team order.
[[nodiscard]] std::vector<ConsensusTeam> consensus(std::span<const Opinion> opinions);

}  // namespace hqe
