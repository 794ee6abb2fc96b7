// SPDX-License-Identifier: MIT
// The decision takes part in the tournament as `hqe prune` makes it.
#include <doctest/doctest.h>

#include "hqe/base/random.h"
#include "hqe/methods/compare.h"
#include "hqe/predictions/samples.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/methods.h"

namespace hqe {
namespace {

Pool random_pool(std::uint64_t seed, int samples = 200) {
  return reference::to_pool(reference::random_pool({.model_count = 7,
                                                    .sample_count = samples,
                                                    .class_count = 3,
                                                    .probabilities = seed % 2 == 0,
                                                    .seed = seed}));
}

CompareOptions only_decision(int size) { return {.size = size, .methods = {Method::decision}}; }

TEST_CASE("with a test pool the decision is what prune recommends") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    const Pool pool = random_pool(seed);
    const Pool test = random_pool(seed + 100, 90);
    const Study study = prune(pool, {.size = 3}, {.threads = 1}, test);
    const Comparison found = compare(pool, only_decision(3), {.threads = 1}, test);
    CHECK(found.methods.front().chosen.team == study.recommended->figures.team);
    CHECK(found.methods.front().test_correct ==
          static_cast<double>(*study.recommended->figures.test_correct));
  }
}

TEST_CASE("every split's decision is made on its selection samples alone") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Pool pool = random_pool(seed);
    CompareOptions options = only_decision(3);
    options.repeats = 3;
    const Comparison found = compare(pool, options, {.threads = 2});
    for (std::uint64_t split = 0; split < 3; ++split) {
      CAPTURE(seed);
      CAPTURE(split);
      const SampleSplit samples = split_samples(pool, 0.5, Random(options.seed, split + 1).bits());
      const Study study = prune(samples_of(pool, samples.selection),
                                {.size = 3, .judge_on_half = false}, {.threads = 1});
      CHECK(found.methods.front().splits[split].team == study.recommended->figures.team);
    }
  }
}

TEST_CASE("where no size can be counted whole, the decision looks at what was kept") {
  const Pool pool = random_pool(3);
  CompareOptions options = only_decision(3);
  options.max_evaluate = 5;
  const Study study =
      prune(pool, {.size = 3, .max_evaluate = 5, .judge_on_half = false}, {.threads = 1});
  CHECK(compare(pool, options, {.threads = 1}, pool).methods.front().chosen.team ==
        study.recommended->figures.team);
}

}  // namespace
}  // namespace hqe
