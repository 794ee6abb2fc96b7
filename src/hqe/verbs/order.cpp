// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/predictions/match_models.h"
#include "hqe/search/measure.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/verbs.h"

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

void name_models(ExitRun& run, const Team& team) {
  for (ModelId& member : run.order) member = team[member];
}

}  // namespace

Ordering order(Pool pool, const Team& team, const OrderOptions& options, const Run& run,
               std::optional<Pool> test) {
  check_teams({team}, pool.model_count());
  const Measured measured = measure(std::move(pool), {.vote = options.vote}, run);
  const VoteRule& rule = measured.contests->rule();
  const Pool members = pool_of(measured.pool, team.view());
  std::optional<Pool> members_in_test;
  if (test) members_in_test = members_of(*test, measured.pool, team, run);
  Ordering result{.pool = summary_of(measured), .vote = rule.vote};
  result.figures.team = team;
  TeamList list(team.size());
  list.push_back(team.view());
  result.figures.correct = measured.contests->correct_counts(list, run).front();
  result.exit =
      early_exit(members, rule_of_members(rule, team), Team::all(team.size()).view(),
                 {.seed = options.seed}, run, members_in_test ? &*members_in_test : nullptr);
  name_models(result.exit.selection, team);
  if (result.exit.held_out) name_models(result.exit.held_out->run, team);
  check_unchanged(measured.pool);
  if (members_in_test) check_unchanged(*members_in_test);
  return result;
}

}  // namespace hqe
