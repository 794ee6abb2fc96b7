// SPDX-License-Identifier: MIT
/// One team's part of a pool, and of a test pool. Private to verbs/.

#pragma once

#include <optional>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// Members go by their place in the team.
struct TeamPools {
  Pool members;
  VoteRule rule;
  std::optional<Pool> test;

  [[nodiscard]] const Pool* judge() const { return test ? &*test : nullptr; }
};

/// `rule`: of the pool. Members are found in `test` by name, and read. Throws InputError where one
/// is not there, or the test pool is of another kind.
[[nodiscard]] TeamPools team_pools(const Pool& pool, const VoteRule& rule, const Team& team,
                                   const std::optional<Pool>& test, const Run& run);

}  // namespace hqe
