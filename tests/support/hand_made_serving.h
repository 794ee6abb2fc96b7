// SPDX-License-Identifier: MIT
/// Calibration figures and an early exit for a study made by hand.

#pragma once

#include "hqe/calibration/serving.h"
#include "hqe/serving/early_exit.h"

namespace hqe::testing {

/// All samples but one in the bin of 0.9 before and of 0.75 after; three quarters of them right.
inline CalibrationEffect hand_made_effect(std::uint64_t samples) {
  CalibrationEffect effect{.samples = samples};
  effect.before = {.log_loss = 0.75, .brier = 0.375, .calibration_error = 0.125};
  effect.before.bins[13] = {.count = samples - 1, .correct = samples * 3 / 4, .confidence = 0.9};
  effect.before.bins[14] = {.count = 1, .correct = 1, .confidence = 1};
  effect.after = {.log_loss = 0.5, .brier = 0.25, .calibration_error = 0.015625};
  effect.after.bins[11] = {.count = samples - 1, .correct = samples * 3 / 4, .confidence = 0.75};
  effect.after.bins[14] = {.count = 1, .correct = 1, .confidence = 0.9375};
  return effect;
}

/// Two of 2, 3: a quarter is decided by the first.
inline ExitRun hand_made_run(std::uint64_t samples) {
  return {.order = {3, 2},
          .samples = samples,
          .decided_after = {0.25, 1},
          .expected_models = 1.75,
          .expected_cost = 11e6};
}

inline EarlyExit hand_made_exit() {
  return {.cost = Cost::params,
          .full_cost = 12e6,
          .bound = 1.001,
          .selection = hand_made_run(100),
          .least_cost = 11e6,
          .is_least = true,
          .held_out = {}};
}

}  // namespace hqe::testing
