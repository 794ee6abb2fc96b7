// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/calibration/calibrate.h"
#include "hqe/search/measure.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

Recommendation recommendation_of(const Measured& measured, const Team& team,
                                 const OrderOptions& options, const Run& run) {
  const VoteRule& rule = measured.contests->rule();
  Recommendation result{.figures = {.team = team}, .from = "", .why = ""};
  result.figures.correct = measured.contests->correct_count(team.view());
  if (can_calibrate(measured.pool, rule, team.view())) {
    result.serving = calibrate(measured.pool, rule, team.view(), run);
  }
  if (measured.pool.has_every_score() || !adds_scores(rule.vote, measured.pool.kind)) {
    result.early_exit = early_exit(measured.pool, rule, team.view(), {.seed = options.seed}, run);
  }
  return result;
}

}  // namespace

TeamFile team_of(Pool pool, const Team& team, const OrderOptions& options, const Run& run) {
  check_teams({team}, pool.model_count());
  const Measured measured = measure(std::move(pool), {.vote = options.vote}, run);
  const VoteRule& rule = measured.contests->rule();
  Study study{.pool = summary_of(measured), .options = {.vote = options.vote}, .vote = rule.vote};
  study.weights = rule.weights;
  study.recommended = recommendation_of(measured, team, options, run);
  TeamFile file = team_file_of(study);
  if (!file.weights.empty() && std::ranges::max(file.weights) == 0) {
    throw UsageError("every member of the team weighs 0. Give at least one of them a say");
  }
  for (std::size_t place = 0; place < file.members.size(); ++place) {
    file.members[place].correct = rule.correct[team[place]];
  }
  check_unchanged(measured.pool);
  return file;
}

}  // namespace hqe
