// SPDX-License-Identifier: MIT
/// Which differences between methods are more than chance. Private to methods/.

#pragma once

#include <vector>

#include "hqe/base/run.h"
#include "hqe/methods/compare.h"
#include "hqe/search/measure.h"

namespace hqe {

/// Fills in verdicts, p-values and what could have been told: the corrected resampled t-test of
/// every ranked method against the best one. Requires: methods by mean rank, two or more splits.
void test_by_splits(Comparison& comparison);

/// The same from the answers on a test pool: McNemar's test. A random team has no answers of its
/// own, and is neither the best nor tested. Requires: methods by mean rank.
void test_by_answers(Comparison& comparison, const Measured& test, const Run& run);

}  // namespace hqe
