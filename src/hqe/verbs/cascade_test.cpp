// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "hqe/base/error.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/pool.h"

namespace hqe {
namespace {

Pool cascade_scores(std::uint64_t seed, int samples = 300) {
  return reference::to_pool(reference::random_pool({.model_count = 6,
                                                    .sample_count = samples,
                                                    .class_count = 4,
                                                    .accuracy = 0.7,
                                                    .probabilities = true,
                                                    .seed = seed}));
}

TEST_CASE("cascades of a team begin with its exact exit, which order() judges alike") {
  const Team team{1, 2, 3, 5};
  const Cascading found = cascade(cascade_scores(1), team, {.seed = 3}, {}, cascade_scores(2));
  const Ordering exact = order(cascade_scores(1), team, {.seed = 3}, {}, cascade_scores(2));
  CHECK(found.figures.correct == exact.figures.correct);
  CHECK(found.front.order == exact.exit.selection.order);
  CHECK(found.front.exact().selection.expected_cost == exact.exit.selection.expected_cost);
  CHECK(found.front.exact().selection.correct == exact.figures.correct);
  CHECK(found.front.exact().held_out->expected_models == exact.exit.held_out->run.expected_models);
  CHECK(found.test.has_value());
  CHECK_FALSE(found.is_recommended);
  CHECK(found.warnings.empty());
  // A half chooses the order there, too.
  const Cascading by_half = cascade(cascade_scores(1), team, {.seed = 3});
  const Ordering half = order(cascade_scores(1), team, {.seed = 3});
  CHECK(by_half.front.order == half.exit.held_out->run.order);
  CHECK(by_half.front.exact().held_out->expected_models == half.exit.held_out->run.expected_models);
}

TEST_CASE("without a team, cascades are those of the team that prune() recommends") {
  const Study study = prune(cascade_scores(4), {}, {});
  const Cascading found = cascade(cascade_scores(4), std::nullopt, {.seed = 9});
  CHECK(found.is_recommended);
  CHECK(found.figures.team == study.recommended->figures.team);
  CHECK(found.figures.correct == study.recommended->figures.correct);
  CHECK(found.warnings.size() == 1);
}

TEST_CASE("few samples judge no cascade, and a team must be one of the pool") {
  const Cascading found = cascade(cascade_scores(5, 60), Team{2}, {});
  CHECK_FALSE(found.front.exact().held_out);
  CHECK(found.warnings.size() == 2);
  CHECK_THROWS_AS((void)cascade(cascade_scores(5), Team{2, 9}, {}), UsageError);
  const std::vector<ModelId> some{1, 2};
  CHECK_THROWS_AS(
      (void)cascade(cascade_scores(5), Team{0, 2}, {}, {}, pool_of(cascade_scores(6), some)),
      InputError);
}

}  // namespace
}  // namespace hqe
