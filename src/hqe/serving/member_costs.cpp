// SPDX-License-Identifier: MIT
#include "hqe/serving/member_costs.h"

#include <algorithm>

namespace hqe {

MemberCosts member_costs(const Pool& pool, TeamView team) {
  for (const Cost cost : {Cost::latency_ms, Cost::gflops, Cost::params}) {
    const TeamPrices prices = team_prices(pool.models, cost);
    MemberCosts costs{.cost = cost, .of = {}, .sum = prices.of(team)};
    for (const ModelId model : team) costs.of.push_back(prices.of_models()[model]);
    const bool is_known = std::ranges::all_of(
        team, [&](ModelId model) { return pool.models[model].costs[cost].has_value(); });
    if (is_known && costs.sum > 0) return costs;
  }
  return {.cost = std::nullopt,
          .of = std::vector<double>(team.size(), 1.0),
          .sum = static_cast<double>(team.size())};
}

}  // namespace hqe
