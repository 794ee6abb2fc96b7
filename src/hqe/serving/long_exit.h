// SPDX-License-Identifier: MIT
/// Early exit of teams with too many members to weigh every order. Private to serving/.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/serving/voter.h"

namespace hqe {

/// What members bring towards decisions.
struct MemberGains {
  std::vector<double> gains;  ///< Mean over samples, one a member.
  double least_cost = 0;      ///< No order has a smaller expected cost.
};

/// A set of members decides a sample only where it keeps the answer ahead of the runner-up. How
/// much each member brings to that is its gain; the cheapest fraction of members whose gains are
/// enough costs no more than any set that decides.
[[nodiscard]] MemberGains member_gains(const Pool& pool, const VoteRule& rule, TeamView team,
                                       std::span<const double> costs,
                                       std::span<const std::uint64_t> samples, const Run& run);

/// Members by their place in the team: most gain for its cost first, then by members.
[[nodiscard]] std::vector<std::size_t> order_by_gain(std::span<const double> gains,
                                                     std::span<const double> costs);

/// How many samples are open after 0, 1, .. S-1 members of the order.
[[nodiscard]] std::vector<std::uint64_t> open_along(const Pool& pool, const VoteRule& rule,
                                                    TeamView team,
                                                    std::span<const std::size_t> order,
                                                    std::span<const std::uint64_t> samples,
                                                    const Run& run);

}  // namespace hqe
