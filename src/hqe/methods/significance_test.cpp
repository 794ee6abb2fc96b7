// SPDX-License-Identifier: MIT
// One verdict a row: it follows from the row's difference and from what its test could have seen.
#include <doctest/doctest.h>

#include <algorithm>

#include "hqe/methods/compare.h"
#include "hqe/statistics/intervals.h"
#include "tests/reference/methods.h"

namespace hqe {
namespace {

/// Models of very different accuracies, so that some methods are told apart.
Pool uneven_pool(std::uint64_t seed, int samples) {
  reference::ReferencePool pool =
      reference::random_pool({.model_count = 6, .sample_count = samples, .seed = seed});
  for (int m = 0; m < 3; ++m) {
    for (int x = 0; x < samples; ++x) {
      if ((x + m) % 4 != 0) pool.predictions[m][x] = (pool.truth[x] + 1 + m) % 3;
    }
  }
  return reference::to_pool(pool);
}

TEST_CASE("a method is worse exactly where its difference is one that its test could have seen") {
  int worse = 0;
  int unknown = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Pool pool = uneven_pool(seed, 300);
    const Pool test = uneven_pool(seed + 50, 240);
    for (const bool has_test : {false, true}) {
      CAPTURE(seed);
      CAPTURE(has_test);
      const Comparison found = has_test ? compare(pool, {.size = 3}, {.threads = 1}, test)
                                        : compare(pool, {.size = 3, .repeats = 6}, {.threads = 1});
      CHECK(found.significance_test() ==
            (has_test ? SignificanceTest::mcnemar : SignificanceTest::resampled_t));
      const auto best =
          std::ranges::find(found.methods, MethodVerdict::best, &MethodResult::verdict);
      REQUIRE(best != found.methods.end());
      for (const MethodResult& result : found.methods) {
        if (!result.verdict || *result.verdict == MethodVerdict::best) continue;
        CAPTURE(to_string(result.method));
        const double behind =
            (best->test_correct - result.test_correct) / static_cast<double>(found.test_samples);
        const bool is_seen = result.detectable && behind > *result.detectable - 1e-12;
        CHECK((*result.verdict == MethodVerdict::worse) == is_seen);
        worse += *result.verdict == MethodVerdict::worse ? 1 : 0;
        unknown += *result.verdict == MethodVerdict::cannot_tell ? 1 : 0;
        if (*result.verdict == MethodVerdict::same) CHECK(behind == 0);
      }
    }
  }
  CHECK(worse > 5);
  CHECK(unknown > 5);
}

TEST_CASE("what McNemar's test could have seen, by hand") {
  // Two methods: no adjustment. The best has 8 of 10 right, all that the other has not, and the
  // other 0. Of 8 samples that only one gets right all 8 must fall to one side: 2 / 2^8 < 0.05, but
  // 7 of 8 have 2 x 9 / 2^8.
  reference::ReferencePool pool{.model_count = 3, .sample_count = 10, .class_count = 2};
  pool.truth.assign(10, 0);
  pool.predictions = {{0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, {}};
  pool.predictions[2].assign(10, 1);
  reference::ReferencePool test = pool;
  std::swap(test.predictions[0], test.predictions[2]);
  // On `test` models 1 and 2 are right, 0 is wrong. The pair 0,1 answers as the lower class where
  // it differs; the single model 0 is wrong everywhere.
  const Comparison found =
      compare(reference::to_pool(pool),
              {.size = 2, .methods = {Method::best_single, Method::most_accurate}}, {.threads = 1},
              reference::to_pool(test));
  REQUIRE(found.methods.size() == 2);
  CHECK(found.methods[0].method == Method::most_accurate);
  CHECK(found.methods[0].test_correct == 8);
  CHECK(found.methods[1].test_correct == 0);
  CHECK(found.methods[1].verdict == MethodVerdict::worse);
  CHECK(*found.methods[1].p_value == doctest::Approx(2.0 / 256));
  CHECK(*found.methods[1].detectable == doctest::Approx(0.8));
}

}  // namespace
}  // namespace hqe
