// SPDX-License-Identifier: MIT
#include <utility>

#include "hqe/search/measure.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/settled_vote.h"
#include "hqe/verbs/team_pools.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

void name_models(ExitRun& run, const Team& team) {
  for (ModelId& member : run.order) member = team[member];
}

}  // namespace

Ordering order(Pool pool, const Team& team, const OrderOptions& options, const Run& run,
               const std::optional<Pool>& test) {
  check_teams({team}, pool.model_count());
  check_vote(pool, options.vote);
  // When a vote is decided does not depend on the truth; how often it is right does.
  const auto counted = pool.has_labels ? std::optional(options.vote) : std::nullopt;
  const Measured measured = measure(std::move(pool), {.vote = counted, .needs_labels = false}, run);
  const VoteRule rule = settled_vote(measured.pool, options.vote, measured.correct());
  const TeamPools pools = team_pools(measured.pool, rule, team, test, run);
  Ordering result{.pool = summary_of(measured), .vote = rule.vote};
  result.warnings = measured.pool.notes;
  result.figures.team = team;
  if (measured.contests) {
    TeamList list(team.size());
    list.push_back(team.view());
    result.figures.correct = measured.contests->correct_counts(list, run).front();
  }
  result.exit = early_exit(pools.members, pools.rule, Team::all(team.size()).view(),
                           {.seed = options.seed}, run, pools.judge());
  name_models(result.exit.selection, team);
  if (result.exit.held_out) name_models(result.exit.held_out->run, team);
  check_unchanged(measured.pool);
  if (pools.test) check_unchanged(*pools.test);
  return result;
}

}  // namespace hqe
