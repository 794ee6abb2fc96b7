// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "hqe/calibration/calibrate.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/pool.h"

namespace hqe {
namespace {

Pool scores(std::uint64_t seed) {
  return reference::to_pool(reference::random_pool({.model_count = 5,
                                                    .sample_count = 150,
                                                    .class_count = 4,
                                                    .probabilities = true,
                                                    .seed = seed}));
}

TEST_CASE("a study says at which temperature to serve the recommended team") {
  const Study study = prune(scores(1), {.size = 3}, {});
  REQUIRE(study.recommended);
  REQUIRE(study.recommended->serving);
  const Serving& serving = *study.recommended->serving;
  const Serving alone =
      calibrate(scores(1), {.vote = Vote::soft}, study.recommended->figures.team.view(), {});
  CHECK(serving.temperature == alone.temperature);
  CHECK(serving.selection.after.log_loss == alone.selection.after.log_loss);
  CHECK(serving.selection.after.log_loss < serving.selection.before.log_loss);
  CHECK_FALSE(serving.test);
}

TEST_CASE("the test pool is judged at the temperature of the selection samples") {
  const Study study =
      prune(scores(1), {.size = 3, .vote = {.vote = Vote::weighted}}, {}, scores(2));
  const Serving& serving = *study.recommended->serving;
  REQUIRE(serving.test);
  CHECK(serving.test->samples == 150);
  // Accuracies on the selection pool are the weights on both.
  std::vector<double> weights;
  for (const auto& model : study.pool.models) {
    weights.push_back(static_cast<double>(model.correct) / 150);
  }
  const CalibrationEffect alone =
      judge_calibration(scores(2), {.vote = Vote::weighted, .weights = weights},
                        study.recommended->figures.team.view(), serving.temperature, {});
  CHECK(serving.test->after.log_loss == alone.after.log_loss);
  CHECK(serving.test->before.brier == alone.before.brier);
}

TEST_CASE("votes without shares have nothing to calibrate") {
  const Study plurality = prune(scores(1), {.size = 3, .vote = {.vote = Vote::plurality}}, {});
  REQUIRE(plurality.recommended);
  CHECK_FALSE(plurality.recommended->serving);
  const Pool labels = reference::to_pool(reference::random_pool({.model_count = 5}));
  const Study of_labels = prune(labels, {.size = 3}, {});
  REQUIRE(of_labels.recommended);
  CHECK_FALSE(of_labels.recommended->serving);
}

}  // namespace
}  // namespace hqe
