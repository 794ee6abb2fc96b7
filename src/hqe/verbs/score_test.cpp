// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/diversity.h"

namespace hqe {
namespace {

using reference::Members;
using reference::ReferencePool;

std::map<Members, double> score_literally(const ReferencePool& pool, Metric metric, int size) {
  const std::vector<Members> teams = reference::all_teams(pool.model_count, size);
  if (is_focal(metric)) return reference::focal_diversity(pool, baseline_of(metric), teams);
  std::map<Members, double> scores;
  for (const Members& team : teams) {
    scores[team] = reference::baseline_diversity(pool, metric, team);
  }
  return scores;
}

/// Every team of every size by every metric, the team of all models included.
void check_scores(const ReferencePool& plain) {
  CAPTURE(plain.model_count);
  const Scores scores =
      score(reference::to_pool(plain), {.size_min = 2,
                                        .size_max = plain.model_count,
                                        .metrics = {all_metrics.begin(), all_metrics.end()}});
  CHECK(scores.columns.size() == all_metrics.size());
  for (const Scores::Column& column : scores.columns) {
    CAPTURE(to_string(column.metric));
    std::size_t place = 0;
    for (int size = 2; size <= plain.model_count; ++size) {
      const auto literal = score_literally(plain, column.metric, size);
      for (std::size_t i = 0; i < literal.size(); ++i, ++place) {
        const TeamView team = scores.teams[place];
        CHECK(std::abs(column.scores[place] - literal.at({team.begin(), team.end()})) < 1e-12);
      }
    }
    CHECK(place == column.scores.size());
  }
}

TEST_CASE("scores of every size equal the literal ones, in pools of two models too") {
  for (int models = 2; models <= 6; ++models) {
    for (const double abstain : {0.0, 0.2}) {
      check_scores(reference::random_pool(
          {.model_count = models, .sample_count = 60, .class_count = 3, .abstain = abstain}));
    }
    check_scores(reference::random_pool(
        {.model_count = models, .sample_count = 60, .class_count = 4, .probabilities = true}));
  }
}

TEST_CASE("models that all say one and the same label have no diversity by either kappa") {
  for (const int label : {0, -1}) {
    ReferencePool plain =
        reference::random_pool({.model_count = 4, .sample_count = 30, .class_count = 3});
    for (auto& said : plain.predictions) said.assign(said.size(), label);
    check_scores(plain);
    const Scores scores =
        score(reference::to_pool(plain),
              {.size_min = 2, .size_max = 4, .metrics = {Metric::ck, Metric::fk, Metric::f_ck}});
    for (const Scores::Column& column : scores.columns) {
      if (is_focal(column.metric)) continue;
      for (const double one : column.scores) CHECK(one == 0);
    }
  }
}

TEST_CASE("q_f of the team of all models equals the literal one, drawn samples included") {
  const ReferencePool plain = reference::random_pool({.model_count = 5, .sample_count = 80});
  const ScoreOptions options{
      .size_min = 5, .size_max = 5, .metrics = {Metric::f_gd, Metric::f_ck}, .focal = true};
  const Scores scores = score(reference::to_pool(plain), options);
  for (const Scores::Column& column : scores.columns) {
    REQUIRE(column.focal.size() == 5);
    CHECK(column.scores == std::vector{0.5});
    for (int focal = 0; focal < 5; ++focal) {
      const double literal = reference::focal_negative_correlation(
          plain, baseline_of(column.metric), {0, 1, 2, 3, 4}, focal);
      CHECK(std::abs(column.focal[focal] - literal) < 1e-12);
    }
  }
  ScoreOptions drawn = options;
  drawn.sample = SampleOptions{.draws = 20, .repeats = 2, .seed = 1};
  CHECK(score(reference::to_pool(plain), drawn).columns.front().scores == std::vector{0.5});
}

TEST_CASE("one model alone has no diversity to score") {
  ReferencePool plain = reference::random_pool({.model_count = 2, .sample_count = 20});
  plain.model_count = 1;
  plain.predictions.pop_back();
  CHECK_THROWS_AS((void)score(reference::to_pool(plain), {}), InputError);
}

}  // namespace
}  // namespace hqe
