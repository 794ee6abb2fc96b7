// SPDX-License-Identifier: MIT
/// The part of a study that is an answer: what was selected, how good it is, what to take.

#pragma once

#include "hqe/study/prepare.h"
#include "hqe/study/study.h"
#include "hqe/study/tuning.h"

namespace hqe {

/// Selections, consensus, baselines and recommendation, judged on the pools of `prepared`. Leaves
/// correlations, errors, trust, warnings and detail to the caller. Where max_evaluate is 0, only
/// the selected teams are counted.
[[nodiscard]] Study answer_of(Prepared& prepared, const Searches& found);

}  // namespace hqe
