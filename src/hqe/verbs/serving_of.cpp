// SPDX-License-Identifier: MIT
#include "hqe/verbs/serving_of.h"

#include "hqe/calibration/calibrate.h"

namespace hqe {

std::optional<Serving> serving_of(const SearchSpace& space, const Team& team) {
  const Pool& pool = space.selection().pool();
  const VoteRule& rule = space.selection().contests().rule();
  if (!can_calibrate(pool, rule, team.view())) return std::nullopt;
  Serving serving = calibrate(pool, rule, team.view(), space.run());
  if (space.test()) {
    serving.test = judge_calibration(space.test()->pool(), space.test()->contests().rule(),
                                     team.view(), serving.temperature, space.run());
  }
  return serving;
}

}  // namespace hqe
