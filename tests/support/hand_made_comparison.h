// SPDX-License-Identifier: MIT
/// A small comparison with everything that a comparison can have, on the four friends of the
/// hand-made study: three ranked methods, and one that could not choose in a split.

#pragma once

#include "hqe/methods/compare.h"
#include "tests/support/hand_made_study.h"

namespace hqe::testing {

inline Choice hand_made_choice(double selection_correct, double test_correct, double rank) {
  Choice choice;
  choice.team = Team{2, 3};
  choice.selection_correct = selection_correct;
  choice.test_correct = test_correct;
  choice.rank = rank;
  return choice;
}

inline MethodResult hand_made_result(Method method, double mean_rank) {
  MethodResult result;
  result.method = method;
  result.chosen = hand_made_choice(84, 0, 0);
  result.splits = {hand_made_choice(43, 41, mean_rank - 0.5),
                   hand_made_choice(41.5, 42, mean_rank + 0.5)};
  result.test_correct = 41.5;
  result.test_interval = {0.703125, 0.90625};
  result.mean_rank = mean_rank;
  result.verdict = mean_rank > 2 ? MethodVerdict::worse : MethodVerdict::cannot_tell;
  result.p_value = 0.25;
  result.detectable = 0.015625;
  result.seconds = 0.125;
  return result;
}

inline Comparison hand_made_comparison() {
  Comparison comparison;
  comparison.pool = hand_made_pool();
  comparison.options.size = 2;
  comparison.options.repeats = 2;
  comparison.options.methods = {Method::exhaustive, Method::caruana, Method::random,
                                Method::branch_and_bound};
  comparison.options.budget = {{Cost::params, 1e8}};
  comparison.options.time_limit = 1.5;
  comparison.vote = Vote::soft;
  comparison.desired_size = 2;
  comparison.reference = {Team::all(4), 80, {}};
  comparison.reference_test_correct = 40.5;
  comparison.reference_interval = {0.6875, 0.890625};
  comparison.selection_samples = 50;
  comparison.test_samples = 50;
  comparison.methods = {hand_made_result(Method::branch_and_bound, 1.5),
                        hand_made_result(Method::caruana, 2), hand_made_result(Method::random, 2.5),
                        hand_made_result(Method::exhaustive, 3)};
  const Certificate certificate{.upper_bound = 44, .is_proven = false, .counted = 6};
  comparison.methods[0].chosen.certificate =
      Certificate{.upper_bound = 84, .is_proven = true, .counted = 6};
  for (Choice& split : comparison.methods[0].splits) split.certificate = certificate;
  comparison.methods[1].chosen.weights = {3, 1};
  comparison.methods[2].chosen.team = {};
  comparison.methods[2].note = "expected";
  MethodResult& last = comparison.methods[3];
  last.mean_rank.reset();
  last.verdict.reset();
  last.p_value.reset();
  last.detectable.reset();
  last.chosen = {};
  last.chosen.not_computed = "there are too many teams";
  last.splits[1] = last.chosen;
  last.splits[0].rank.reset();
  comparison.methods[0].verdict = MethodVerdict::best;
  comparison.methods[0].p_value.reset();
  comparison.methods[0].detectable.reset();
  comparison.warnings = {"Splits share samples."};
  return comparison;
}

/// The same, judged on a test pool.
inline Comparison hand_made_tested_comparison() {
  Comparison comparison = hand_made_comparison();
  comparison.test = hand_made_pool();
  comparison.selection_samples = 100;
  comparison.test_samples = 100;
  for (MethodResult& result : comparison.methods) {
    result.splits.erase(result.splits.begin() + (result.mean_rank ? 1 : 0),
                        result.splits.end() - (result.mean_rank ? 0 : 1));
  }
  return comparison;
}

}  // namespace hqe::testing
