// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "hqe/base/error.h"
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

TEST_CASE("a study of any kind says in which order to run the recommended team") {
  for (const Vote vote : all_votes) {
    const Study study = prune(scores(1), {.size = 3, .vote = {.vote = vote}}, {}, scores(2));
    REQUIRE(study.recommended->early_exit);
    const EarlyExit& exit = *study.recommended->early_exit;
    const Team& team = study.recommended->figures.team;
    CHECK(Team(exit.selection.order) == team);
    CHECK(exit.selection.samples == 150);
    CHECK(exit.held_out->by == ExitJudge::test);
    const Ordering alone = order(scores(1), team, {.vote = {.vote = vote}}, {}, scores(2));
    CHECK(alone.exit.selection.order == exit.selection.order);
    CHECK(alone.exit.held_out->run.decided_after == exit.held_out->run.decided_after);
    CHECK(alone.figures.correct == study.recommended->figures.correct);
  }
}

TEST_CASE("an order is judged on a test pool that holds every member, whatever its order") {
  const Pool pool = scores(1);
  const Team team{1, 2, 4};
  const std::vector<ModelId> backward{4, 3, 2, 1, 0}, some{1, 2};
  const Ordering expected = order(pool, team, {}, {}, scores(2));
  const Ordering shuffled = order(pool, team, {}, {}, pool_of(scores(2), backward));
  CHECK(shuffled.exit.held_out->run.decided_after == expected.exit.held_out->run.decided_after);
  CHECK(expected.exit.held_out->run.order == expected.exit.selection.order);
  CHECK_THROWS_AS(order(pool, team, {}, {}, pool_of(scores(2), some)), InputError);
  const Pool labels = reference::to_pool(reference::random_pool({.model_count = 5}));
  CHECK_THROWS_AS(order(pool, team, {}, {}, labels), InputError);
  CHECK_THROWS_AS(order(pool, Team{7}, {}, {}), UsageError);
}

}  // namespace
}  // namespace hqe
