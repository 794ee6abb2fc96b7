// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "hqe/base/random.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/contests.h"
#include "tests/support/arrays.h"
#include "tests/support/contests.h"

namespace hqe {
namespace {

using testing::contests_of;

/// Four models that each put a rival of their own above the true class, on every sample; together
/// they may still find it.
Pool hopeless_pool(Kind kind) {
  constexpr int models = 4, samples = 40, classes = 6;
  Random random(4);
  std::vector<double> truth;
  for (int x = 0; x < samples; ++x) truth.push_back(static_cast<double>(random.below(classes)));
  PoolParts parts{.kind = kind};
  for (int m = 0; m < models; ++m) {
    std::vector<double> rows;
    for (int x = 0; x < samples; ++x) {
      const int right = static_cast<int>(truth[x]);
      const int rival = (right + 1 + (m + x) % (classes - 1)) % classes;
      for (int c = 0; c < classes; ++c) {
        const double share = c == right ? 0.375 : c == rival ? 0.625 : 0;
        rows.push_back(kind == Kind::logits ? 2 * share : share);
      }
    }
    parts.models.push_back(
        testing::model("model_" + std::to_string(m), testing::matrix(samples, classes, rows)));
  }
  parts.labels = testing::vector(truth);
  return make_pool(std::move(parts));
}

TEST_CASE("where no model is ever right, the weighted vote is the soft one") {
  for (const Kind kind : {Kind::probabilities, Kind::logits}) {
    const Pool pool = hopeless_pool(kind);
    const Contests weighted = contests_of(pool, {.vote = Vote::weighted});
    const Contests soft = contests_of(pool, {.vote = Vote::soft});
    CHECK(weighted.rule().weights == std::vector<double>(4, 1.0));
    std::uint64_t most = 0;
    for (int size = 1; size <= pool.model_count(); ++size) {
      const TeamList teams = EnsSet(pool.model_count(), size).list();
      const auto counts = weighted.correct_counts(teams, {.threads = 1});
      CHECK(counts == soft.correct_counts(teams, {.threads = 1}));
      for (const std::uint64_t count : counts) {
        CHECK((size > 1 || count == 0));
        most = std::max(most, count);
      }
    }
    CHECK(most > 0);
  }
}

TEST_CASE("accuracies that were settled may be given again as weights") {
  for (const std::vector<std::uint64_t>& correct :
       {std::vector<std::uint64_t>{0, 0, 0}, {0, 3, 0}, {10, 9, 8}}) {
    const VoteRule rule = settle_vote(Kind::logits, 10, {.vote = Vote::weighted}, correct);
    const VoteRule again =
        settle_vote(Kind::logits, 5, {.vote = Vote::weighted, .weights = rule.weights}, correct);
    CHECK(again.weights == rule.weights);
  }
}

}  // namespace
}  // namespace hqe
