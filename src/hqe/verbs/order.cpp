// SPDX-License-Identifier: MIT
#include <utility>

#include "hqe/search/measure.h"
#include "hqe/search/settings.h"
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
  const Measured measured = measure(std::move(pool), {.vote = options.vote}, run);
  const VoteRule& rule = measured.contests->rule();
  const TeamPools pools = team_pools(measured, team, test, run);
  Ordering result{.pool = summary_of(measured), .vote = rule.vote};
  result.warnings = measured.pool.notes;
  result.figures.team = team;
  TeamList list(team.size());
  list.push_back(team.view());
  result.figures.correct = measured.contests->correct_counts(list, run).front();
  result.exit = early_exit(pools.members, pools.rule, Team::all(team.size()).view(),
                           {.seed = options.seed}, run, pools.judge());
  name_models(result.exit.selection, team);
  if (result.exit.held_out) name_models(result.exit.held_out->run, team);
  check_unchanged(measured.pool);
  if (pools.test) check_unchanged(*pools.test);
  return result;
}

}  // namespace hqe
