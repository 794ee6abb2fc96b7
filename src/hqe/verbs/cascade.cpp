// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <utility>

#include "hqe/base/error.h"
#include "hqe/search/measure.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/team_pools.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

Team recommended_team(const Pool& pool, const VoteOptions& vote, const Run& run) {
  // The seed of prune() stays its own: it recommends what its reader knows.
  const Study study = prune(pool, {.vote = vote}, run);
  if (!study.recommended) {
    throw UsageError("no team of this pool is recommended: name the team to run");
  }
  return study.recommended->figures.team;
}

std::vector<Message> cascade_warnings(const Cascading& result, std::vector<Message> warnings) {
  if (result.front.order.size() == 1) {
    warnings.emplace_back("one model leaves nothing to stop early");
  }
  if (!result.front.judged_by) {
    warnings.emplace_back(
        fmt::format("fewer than {} samples are too few to hold a half out: every figure is of the "
                    "samples that chose",
                    fewest_samples_for_exit_halves));
  } else if (result.is_recommended && !result.test) {
    warnings.emplace_back(
        "the team was recommended by all samples, those held out here included; only cascades were "
        "chosen without them");
  }
  return warnings;
}

}  // namespace

Cascading cascade(Pool pool, const std::optional<Team>& team, const OrderOptions& options,
                  const Run& run, const std::optional<Pool>& test) {
  if (test) check_labels(*test);
  const Team members = team ? *team : recommended_team(pool, options.vote, run);
  check_teams({members}, pool.model_count());
  const Measured measured = measure(std::move(pool), {.vote = options.vote}, run);
  const TeamPools pools = team_pools(measured.pool, measured.contests->rule(), members, test, run);
  Cascading result{.pool = summary_of(measured),
                   .options = options,
                   .vote = pools.rule.vote,
                   .figures = {.team = members},
                   .is_recommended = !team};
  TeamList list(members.size());
  list.push_back(members.view());
  result.figures.correct = measured.contests->correct_counts(list, run).front();
  result.front = cascade_front(pools.members, pools.rule, Team::all(members.size()).view(),
                               options.seed, run, pools.judge());
  for (ModelId& member : result.front.order) member = members[member];
  if (test) result.test = test->name;
  result.warnings = cascade_warnings(result, measured.pool.notes);
  check_unchanged(measured.pool);
  if (pools.test) check_unchanged(*pools.test);
  return result;
}

}  // namespace hqe
