// SPDX-License-Identifier: MIT
#include "hqe/verbs/verbs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hqe/base/error.h"
#include "tests/support/small_pools.h"

namespace hqe {
namespace {

using testing::four_models;
using testing::label_pool;

bool has_note(const std::vector<std::string>& notes, const std::string& words) {
  return std::ranges::any_of(
      notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST_CASE("evaluate counts every team, a size, or the teams named, in size and team order") {
  const Evaluation every = evaluate(four_models(), {});
  REQUIRE(every.teams.size() == 15);
  CHECK(every.correct == std::vector<std::uint64_t>{4, 4, 4, 3, 5, 5, 4, 5, 4, 4, 5, 3, 4, 4, 5});
  const Evaluation pairs = evaluate(four_models(), {.size_min = 2, .size_max = 2});
  CHECK(pairs.correct == std::vector<std::uint64_t>{5, 5, 4, 5, 4, 4});
  const Evaluation named =
      evaluate(four_models(), {.teams = {Team{0, 1, 3}, Team{2}, Team{0, 3}, Team{2}}});
  REQUIRE(named.teams.size() == 3);
  CHECK(to_string(named.teams[0]) == "2");
  CHECK(named.correct == std::vector<std::uint64_t>{4, 4, 3});
}

TEST_CASE("evaluate refuses what it cannot do") {
  CHECK_THROWS_AS((void)evaluate(four_models(), {.teams = {Team{4}}}), UsageError);
  CHECK_THROWS_AS((void)evaluate(four_models(), {.teams = {Team{}}}), UsageError);
  CHECK_THROWS_AS((void)evaluate(four_models(), {.size_min = 0, .size_max = 2}), UsageError);
  CHECK_THROWS_AS((void)evaluate(four_models(), {.size_min = 5, .size_max = 5}), UsageError);
  CHECK_THROWS_AS(
      (void)evaluate(four_models(), {.size_min = 2, .size_max = 2, .max_candidates = 5}),
      UsageError);
  CHECK_THROWS_AS((void)evaluate(four_models(), {.vote = {.vote = Vote::soft}}), UsageError);
  const std::vector<std::vector<double>> many(25, {0, 1});
  CHECK_THROWS_AS((void)evaluate(label_pool({0, 0}, many), {}), UsageError);
}

TEST_CASE("score lists every team of the sizes asked for, with focal views on request") {
  const Scores scores =
      score(four_models(),
            {.size_min = 2, .size_max = 3, .metrics = {Metric::bd, Metric::f_bd}, .focal = true});
  REQUIRE(scores.teams.size() == 10);
  REQUIRE(scores.columns.size() == 2);
  CHECK(scores.columns[0].scores[5] == doctest::Approx(0.6));
  CHECK(scores.columns[0].focal.empty());
  REQUIRE(scores.columns[1].focal.size() == 6 * 2 + 4 * 3);
  CHECK(scores.columns[1].focal[4] == 0.0);                   // 0,3 on what a fails on
  CHECK(scores.columns[1].focal[5] == doctest::Approx(0.5));  // 0,3 on what d fails on
  CHECK(score(four_models(), {}).columns.size() == 8);
}

TEST_CASE("a model that never fails has no focal view") {
  const Pool pool = label_pool({0, 0, 0}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const Scores scores = score(pool, {.metrics = {Metric::f_gd}, .focal = true});
  CHECK(std::isnan(scores.columns[0].focal[0]));
  CHECK_FALSE(std::isnan(scores.columns[0].focal[1]));
}

TEST_CASE("score refuses sizes out of range and too many teams") {
  CHECK_THROWS_AS((void)score(four_models(), {.size_min = 1, .size_max = 2}), UsageError);
  CHECK_THROWS_AS((void)score(four_models(), {.size_min = 2, .size_max = 5}), UsageError);
  CHECK_THROWS_AS((void)score(four_models(), {.max_candidates = 5}), UsageError);
}

TEST_CASE("inspect notes what looks wrong with a model") {
  const Pool pool = label_pool({0, 0, 1, 1, 1}, {{0, 0, 1, 1, 1},     // never fails
                                                 {1, 1, 1, 1, 1},     // constant
                                                 {1, 1, 0, 0, 0},     // swapped
                                                 {0, 0, 1, 1, 0},     // fine
                                                 {0, 0, 1, 1, 0},     // its twin
                                                 {0, -1, 1, 1, 1}});  // abstains
  const Inspection inspection = inspect(pool);
  REQUIRE(inspection.models.size() == 6);
  CHECK(has_note(inspection.models[0].notes, "never fails"));
  CHECK(has_note(inspection.models[1].notes, "always predicts"));
  CHECK(has_note(inspection.models[2].notes, "swapped"));
  CHECK(inspection.models[3].notes.empty());
  CHECK(has_note(inspection.models[4].notes, "exactly as model 3 (d)"));
  CHECK(has_note(inspection.models[5].notes, "abstains on 20.0 %"));
  CHECK(inspection.models[5].abstentions == 1);
  CHECK(inspection.correct_min == 0);
  CHECK(inspection.correct_max == 5);
  CHECK(inspection.accuracy_mean == doctest::Approx((5 + 3 + 0 + 4 + 4 + 4) / 30.0));
  CHECK(inspection.co_failures[1 * 6 + 2] == 2);
}

TEST_CASE("inspect says when a model is worse than chance") {
  const Inspection inspection =
      inspect(label_pool({0, 1, 2, 0, 1, 2}, {{1, 2, 0, 1, 1, 0}, {0, 1, 2, 0, 1, 0}}));
  CHECK(has_note(inspection.models[0].notes, "worse than chance"));
  REQUIRE_FALSE(inspection.warnings.empty());
  CHECK(inspection.warnings.front().text().find("at least 3") != std::string::npos);
}

TEST_CASE("explain names the pruned part, its tier, score and rank") {
  const Explanations explanations =
      explain(four_models(),
              {Team{0, 1, 2}, Team{0, 1, 3}, Team{0, 3}, Team{0, 1}, Team{2}, Team{0, 1, 2, 3}},
              {.size = 3, .beta = {0.34}, .metrics = {Metric::bd}});
  using Fate = Explanation::Fate;
  const auto& teams = explanations.teams;
  REQUIRE(teams.size() == 6);
  CHECK(teams[0].opinions[0].fate == Fate::kept);
  CHECK(teams[0].opinions[0].rank == 1);
  CHECK(teams[0].correct == 5);

  const Explanation::Opinion& cut = teams[1].opinions[0];
  CHECK(cut.fate == Fate::cut);
  CHECK(cut.culprit == Team{0, 3});  // 1,3 is pruned too, but later in team order
  CHECK(cut.tier == 2);
  CHECK(cut.score == doctest::Approx(0.2));
  CHECK(cut.rank == 5);
  CHECK(cut.candidates == 6);
  CHECK(cut.why.find("0,3") != std::string::npos);

  CHECK(teams[2].opinions[0].fate == Fate::pruned);
  CHECK(teams[3].opinions[0].fate == Fate::kept);
  CHECK(teams[3].opinions[0].rank == 2);
  CHECK(teams[4].opinions[0].fate == Fate::single);
  CHECK(teams[5].opinions[0].fate == Fate::larger);
  CHECK(teams[5].opinions[0].culprit == Team{0, 3});
}

TEST_CASE("explain says why a team was never a candidate, and what the metrics together say") {
  const Explanations explanations =
      explain(four_models(), {Team{0, 1}, Team{0, 2}}, {.size = 2, .exclude = {"b"}});
  CHECK(explanations.teams[0].opinions[0].fate == Explanation::Fate::not_eligible);
  CHECK(explanations.teams[1].why.find("4 of 4") != std::string::npos);
  const Explanations by_mean =
      explain(four_models(), {Team{0, 1}, Team{0, 3}}, {.metrics = {Metric::bd}, .by = By::mean});
  CHECK(by_mean.teams[0].opinions[0].fate == Explanation::Fate::kept);
  CHECK(by_mean.teams[1].opinions[0].fate == Explanation::Fate::pruned);
  CHECK(by_mean.teams[1].opinions[0].why.find("not above the mean") != std::string::npos);
}

TEST_CASE("a sweep's rows are the studies of each pair of size and beta") {
  const std::vector<int> sizes{3, 2};
  const std::vector<double> betas{0.34, 0.0, 0.17};
  for (const bool keep_last_tier : {false, true}) {
    const PruneOptions options{.metrics = {Metric::bd, Metric::f_bd, Metric::f_gd},
                               .keep_last_tier = keep_last_tier};
    const Sweep rows = sweep(four_models(), sizes, betas, options);
    REQUIRE(rows.rows.size() == 2 * 3 * 4);
    CHECK(rows.rows[0].size == 2);
    CHECK(rows.rows[0].beta == 0.0);
    for (const SweepRow& row : rows.rows) {
      CAPTURE(row.size);
      CAPTURE(row.beta);
      CAPTURE(row.metric);
      PruneOptions single = options;
      single.size = row.size;
      single.beta = {row.beta};
      const Study study = prune(four_models(), single);
      const auto same = std::ranges::find(study.selections, row.metric, &Selection::metric);
      const Quality& quality =
          row.metric == "MAJORITY-F" ? study.consensus->selection.quality : same->quality;
      CHECK(row.quality.selected == quality.selected);
      CHECK(row.quality.good == quality.good);
      CHECK(row.quality.true_positive == quality.true_positive);
      CHECK(row.quality.precision == quality.precision);
      CHECK(row.quality.recall == quality.recall);
    }
  }
}

TEST_CASE("a sweep refuses a setting out of range before any work") {
  CHECK_THROWS_AS((void)sweep(four_models(), {2, 4}, {0.1}, {}), UsageError);
  CHECK_THROWS_AS((void)sweep(four_models(), {2}, {0.1, 1.0}, {}), UsageError);
  CHECK_THROWS_AS((void)sweep(four_models(), {}, {0.1}, {}), UsageError);
  CHECK_THROWS_AS((void)sweep(four_models(), {2}, {0.1}, {.by = By::mean}), UsageError);
}

TEST_CASE("apply gives a team's labels, and its mean scores where the vote has them") {
  const Combined labels = apply(four_models(), Team{0, 3}, {});
  CHECK(labels.labels == std::vector<std::int32_t>{1, 0, 0, 0, 0});
  CHECK(labels.figures.correct == 4);
  CHECK(labels.scores.empty());

  PoolParts parts{.name = "soft", .kind = Kind::probabilities};
  parts.labels = testing::vector({0, 1});
  parts.models = {testing::model("x", testing::matrix(2, 2, {0.5, 0.5, 0.25, 0.75})),
                  testing::model("y", testing::matrix(2, 2, {0.25, 0.75, 1, 0}))};
  const Pool pool = make_pool(std::move(parts));
  const Combined soft = apply(pool, Team{0, 1}, {});
  CHECK(soft.scores == std::vector{0.375, 0.625, 0.625, 0.375});
  CHECK(soft.labels == std::vector<std::int32_t>{1, 0});
  const Combined weighted =
      apply(pool, Team{0, 1}, {.vote = {.vote = Vote::weighted, .weights = {3, 1}}});
  CHECK(weighted.scores == std::vector{0.4375, 0.5625, 0.4375, 0.5625});
  CHECK(weighted.labels == std::vector<std::int32_t>{1, 1});
  CHECK_THROWS_AS((void)apply(pool, Team{2}, {}), UsageError);
}

}  // namespace
}  // namespace hqe
