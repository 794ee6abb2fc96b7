// SPDX-License-Identifier: MIT
#include "hqe/verbs/serving_of.h"

#include "hqe/calibration/calibrate.h"

namespace hqe {

std::optional<Serving> serving_of(const SearchSpace& space, const Team& team, const Run& run) {
  const Pool& pool = space.selection().pool();
  const VoteRule& rule = space.selection().contests().rule();
  if (!can_calibrate(pool, rule, team.view())) return std::nullopt;
  Serving serving = calibrate(pool, rule, team.view(), run);
  if (space.test() && can_calibrate(space.test()->pool(), rule, team.view())) {
    serving.test = judge_calibration(space.test()->pool(), space.test()->contests().rule(),
                                     team.view(), serving.temperature, run);
  }
  return serving;
}

std::optional<EarlyExit> early_exit_of(const SearchSpace& space, const Team& team, const Run& run) {
  const VoteRule& rule = space.selection().contests().rule();
  const auto knows_votes = [&](const Pool& pool) {
    return pool.has_every_score() || !adds_scores(rule.vote, pool.kind);
  };
  if (!knows_votes(space.selection().pool()) ||
      (space.test() && !knows_votes(space.test()->pool()))) {
    return std::nullopt;
  }
  // As many scores as are looked at for a temperature, of a team of four.
  constexpr std::uint64_t most_scores = 4 * most_calibrated_shares;
  return early_exit(space.selection().pool(), rule, team.view(),
                    {.seed = space.options().seed, .most_scores = most_scores}, run,
                    space.test() ? &space.test()->pool() : nullptr);
}

}  // namespace hqe
