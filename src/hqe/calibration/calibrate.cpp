// SPDX-License-Identifier: MIT
#include "hqe/calibration/calibrate.h"

#include <algorithm>

#include "hqe/bits/target.h"
#include "hqe/calibration/fit.h"
#include "hqe/calibration/log_shares.h"
#include "hqe/calibration/tempering.h"

namespace hqe {

bool can_calibrate(const Pool& pool, const VoteRule& rule, TeamView team) {
  if (!has_scores(pool.kind) || !pool.has_every_score() || team.empty()) return false;
  if (rule.vote == Vote::soft) return true;
  return rule.vote == Vote::weighted &&
         std::ranges::any_of(team, [&](ModelId model) { return rule.weights[model] > 0; });
}

std::uint64_t calibrated_samples(const Pool& pool) {
  constexpr std::uint64_t enough = 1024;
  const auto classes = static_cast<std::uint64_t>(pool.class_count);
  const std::uint64_t samples = std::max(most_calibrated_shares / classes,
                                         std::min(enough, 8 * most_calibrated_shares / classes));
  return std::clamp<std::uint64_t>(samples, 1, pool.sample_count);
}

Serving calibrate(const Pool& pool, const VoteRule& rule, TeamView team, const Run& run) {
  apply_target_from_environment();
  const LogShares shares(pool, rule, team, run);
  // The search for the lowest point begins there.
  const Untempered at_one = untempered(shares, run);
  const double inverse = lowest_point(
      [&](double point) { return point == 1 ? at_one.slope : slope_at(shares, point, run); },
      largest_temperature, [&](double point) { return rough_slope_at(shares, point, run); });
  Serving serving{.temperature = 1 / inverse,
                  .selection = {.samples = shares.sample_count(), .before = at_one.figures}};
  CalibrationEffect& effect = serving.selection;
  effect.after = figures_at(shares, serving.temperature, run);
  // Where 1 is the best, rounding alone tells others from it.
  if (effect.after.log_loss >= effect.before.log_loss) {
    serving.temperature = 1;
    effect.after = effect.before;
  }
  return serving;
}

CalibrationEffect judge_calibration(const Pool& pool, const VoteRule& rule, TeamView team,
                                    double temperature, const Run& run) {
  apply_target_from_environment();
  const LogShares shares(pool, rule, team, run);
  return {.samples = shares.sample_count(),
          .before = figures_at(shares, 1, run),
          .after = figures_at(shares, temperature, run)};
}

}  // namespace hqe
