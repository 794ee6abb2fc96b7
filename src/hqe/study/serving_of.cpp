// SPDX-License-Identifier: MIT
#include "hqe/study/serving_of.h"

#include "hqe/calibration/calibrate.h"

namespace hqe {

std::optional<Serving> serving_of(const Prepared& prepared, const Team& team) {
  const Pool& pool = prepared.measured.pool;
  const VoteRule& rule = prepared.measured.contests->rule();
  if (!can_calibrate(pool, rule, team.view())) return std::nullopt;
  Serving serving = calibrate(pool, rule, team.view(), prepared.run);
  if (prepared.test) {
    serving.test = judge_calibration(prepared.test->pool, prepared.test->contests->rule(),
                                     team.view(), serving.temperature, prepared.run);
  }
  return serving;
}

}  // namespace hqe
