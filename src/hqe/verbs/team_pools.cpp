// SPDX-License-Identifier: MIT
#include "hqe/verbs/team_pools.h"

#include <fmt/core.h>

#include <vector>

#include "hqe/base/error.h"
#include "hqe/predictions/match_models.h"
#include "hqe/search/measure.h"

namespace hqe {
namespace {

/// The members' models of `test`, in the team's order, read.
Pool members_of(const Pool& test, const Pool& pool, const Team& team, const Run& run) {
  std::vector<ModelId> models;
  const auto found = match_models(pool, test);
  for (const ModelId model : team) {
    if (!found[model]) {
      throw InputError(test.name, "",
                       fmt::format("model {} is not in this pool", pool.models[model].name),
                       "Every member of the team must be in the test pool");
    }
    models.push_back(*found[model]);
  }
  Pool members = measure(pool_of(test, models), {.needs_labels = false}, run).pool;
  if (has_scores(members.kind) != has_scores(pool.kind) ||
      (has_scores(pool.kind) && members.class_count != pool.class_count)) {
    throw InputError(
        test.name, "",
        fmt::format("holds {} of {} classes where {} holds {} of {}", to_string(members.kind),
                    members.class_count, pool.name, to_string(pool.kind), pool.class_count),
        "Give a test pool of the same kind and classes");
  }
  return members;
}

/// The rule for a pool of the members alone.
VoteRule rule_of_members(const VoteRule& rule, const Team& team) {
  VoteRule result{.vote = rule.vote, .ties = rule.ties};
  for (const ModelId model : team) {
    if (!rule.weights.empty()) result.weights.push_back(rule.weights[model]);
    result.correct.push_back(rule.correct[model]);
  }
  return result;
}

}  // namespace

TeamPools team_pools(const Pool& pool, const VoteRule& rule, const Team& team,
                     const std::optional<Pool>& test, const Run& run) {
  TeamPools pools{.members = pool_of(pool, team.view()),
                  .rule = rule_of_members(rule, team),
                  .test = std::nullopt};
  if (test) pools.test = members_of(*test, pool, team, run);
  if (!adds_scores(pools.rule.vote, pool.kind)) return pools;
  check_every_score(pool, "stopping a vote of scores early needs");
  if (test) check_every_score(*test, "stopping a vote of scores early needs");
  return pools;
}

}  // namespace hqe
