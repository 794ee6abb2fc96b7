// SPDX-License-Identifier: MIT
/// What running each member of a team costs. Private to serving/.

#pragma once

#include <optional>
#include <vector>

#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// The members' costs, and what they count.
struct MemberCosts {
  std::optional<Cost> cost;  ///< Nothing: models.
  std::vector<double> of;    ///< One a member.
  double sum = 0;
};

/// By the first of latency_ms, gflops, params that is known of every member and not 0 of all; else
/// each member costs 1.
[[nodiscard]] MemberCosts member_costs(const Pool& pool, TeamView team);

}  // namespace hqe
