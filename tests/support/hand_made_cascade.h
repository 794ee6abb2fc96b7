// SPDX-License-Identifier: MIT
/// Cascades of a team of the four friends of the hand-made study, with everything that such a
/// document can have.

#pragma once

#include "hqe/verbs/verbs.h"
#include "tests/support/hand_made_study.h"

namespace hqe::testing {

inline CascadeRun hand_made_cascade_run(std::uint64_t samples, std::uint64_t changed,
                                        double models) {
  return {.samples = samples,
          .correct = samples * 4 / 5 - changed / 2,
          .changed = changed,
          .expected_models = models,
          .expected_cost = models * 4e6};
}

/// Rules chosen on one half of the samples and judged on the other.
inline Cascading hand_made_cascade() {
  Cascading cascading;
  cascading.pool = hand_made_pool();
  cascading.options.seed = UINT64_MAX;
  cascading.options.vote = {.vote = Vote::weighted, .weights = {1, 0, 2, 3}};
  cascading.vote = Vote::weighted;
  cascading.figures = {Team{0, 2, 3}, 80, {}};
  CascadeFront& front = cascading.front;
  front.cost = Cost::params;
  front.full_cost = 12e6;
  front.order = {3, 0, 2};
  front.judged_by = ExitJudge::half;
  const auto row = [](StopRule stop, std::uint64_t changed, double models) {
    return CascadeRow{.stop = stop,
                      .selection = hand_made_cascade_run(50, changed, models),
                      .held_out = hand_made_cascade_run(50, changed * 2, models - 0.125)};
  };
  front.rows = {row({}, 0, 2.25), row({.kind = StopKind::agreement, .agreeing = 2}, 1, 2.125),
                row({.kind = StopKind::confidence, .confidence = 0.95}, 2, 1.75),
                row({.kind = StopKind::confidence, .confidence = 0.6}, 4, 1.25)};
  cascading.warnings = {"Rules share samples."};
  return cascading;
}

/// The same of the recommended team, judged on a test pool; models are counted.
inline Cascading hand_made_tested_cascade() {
  Cascading cascading = hand_made_cascade();
  cascading.options = {};
  cascading.is_recommended = true;
  cascading.test = "</script>\x1b[31m";
  cascading.front.cost.reset();
  cascading.front.full_cost = 3;
  cascading.front.judged_by = ExitJudge::test;
  for (CascadeRow& row : cascading.front.rows) {
    row.selection.samples = 100;
    for (CascadeRun* run : {&row.selection, &*row.held_out}) {
      run->expected_cost = run->expected_models;
    }
    row.held_out->samples = 1'000'000;
  }
  return cascading;
}

/// The same where no sample was held out, and no rule is worth more than the exact exit.
inline Cascading hand_made_exact_cascade() {
  Cascading cascading = hand_made_cascade();
  cascading.front.judged_by.reset();
  cascading.front.rows.resize(1);
  cascading.front.rows.front().held_out.reset();
  return cascading;
}

}  // namespace hqe::testing
