// SPDX-License-Identifier: MIT
/// The Pareto front of accuracy against cost: teams that nothing cheaper is as accurate as.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/base/run.h"
#include "hqe/methods/compare.h"
#include "hqe/predictions/pool.h"
#include "hqe/study/study.h"

namespace hqe {

struct FrontOptions {
  VoteOptions vote{};
  /// Above 24 models: methods choose teams of sizes 2 up to this one. Nothing: as in compare().
  std::optional<int> size{};
  std::uint64_t seed = CompareOptions{}.seed;
};

struct FrontPoint {
  Team team;
  double cost = 0;  ///< Sum over members.
  std::uint64_t correct = 0;
};

struct CostFront {
  std::optional<Cost> cost;  ///< Nothing: the number of members.
  /// Cheapest first; each is more accurate than all before it. Ties: team order.
  std::vector<FrontPoint> points;
};

struct Front {
  PoolSummary pool;
  FrontOptions options;
  Vote vote = Vote::plurality;
  TeamFigures reference;          ///< The entire ensemble.
  bool is_exact = false;          ///< Over all teams; otherwise over those that methods chose.
  std::uint64_t team_count = 0;   ///< Teams that were looked at.
  std::vector<CostFront> fronts;  ///< Team size first, then every cost that all models have.
  std::vector<Message> warnings;
};

/// Exact over all teams of at most 24 models; beyond that over single models, the entire ensemble
/// and every team that a method of compare() chooses on the pool. Throws UsageError, InputError.
[[nodiscard]] Front front(Pool pool, const FrontOptions& options, const Run& run = {});

/// "size", or the cost's name.
[[nodiscard]] std::string_view name_of(const CostFront& front);

}  // namespace hqe
