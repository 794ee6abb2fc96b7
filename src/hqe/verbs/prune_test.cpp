// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hqe/base/error.h"
#include "hqe/verbs/verbs.h"
#include "tests/support/small_pools.h"

namespace hqe {
namespace {

using testing::four_models;
using testing::label_pool;

std::string names(const SelectedTeams& selected) {
  std::string text;
  for (std::size_t i = 0; i < selected.size(); ++i) text += to_string(selected.teams[i]) + " ";
  return text;
}

bool mentions(const std::vector<Message>& warnings, const std::string& words) {
  return std::ranges::any_of(warnings, [&](const Message& warning) {
    return warning.text().find(words) != std::string::npos;
  });
}

TEST_CASE("a study of pairs, counted by hand") {
  const Study study = prune(four_models(), {.size = 2, .beta = {0.34}, .metrics = {Metric::bd}});
  CHECK(study.vote == Vote::plurality);
  CHECK(study.reference.correct == 5);
  REQUIRE(study.selections.size() == 1);
  const Selection& selection = study.selections[0];
  CHECK(selection.metric == "BD");
  REQUIRE(selection.tiers.size() == 1);
  CHECK(selection.tiers[0].candidates == 6);
  CHECK(selection.tiers[0].pruned == 2);  // 0,3 and 1,3
  CHECK(selection.tiers[0].cut == 0u);
  CHECK(names(selection.selected) == "2,3 0,1 0,2 1,2 ");
  CHECK(selection.selected.correct == std::vector<std::uint32_t>{4, 5, 5, 5});
  CHECK(selection.selected.scores[0] == doctest::Approx(0.6));

  const Quality& quality = selection.quality;
  CHECK(quality.selected == 4);
  CHECK(quality.true_positive == 3);
  CHECK(quality.good == 3u);
  CHECK(quality.teams_of_size == 6u);
  CHECK(quality.precision == 0.75);
  CHECK(quality.recall == 1.0);
  CHECK(quality.base_rate == 0.5);
  CHECK(quality.correct_min == 4u);
  CHECK(quality.correct_max == 5u);
  CHECK(quality.cost_reduction == 0.5);
  CHECK_FALSE(study.consensus.has_value());
  CHECK_FALSE(study.empty());
}

TEST_CASE("teams that contain a pruned pair are cut") {
  const Study study = prune(four_models(), {.size = 3, .beta = {0.34}, .metrics = {Metric::bd}});
  const Selection& selection = study.selections[0];
  REQUIRE(selection.tiers.size() == 2);
  CHECK(selection.tiers[1].candidates == 1);
  CHECK(selection.tiers[1].cut == 3u);
  CHECK(names(selection.selected) == "0,1,2 ");
  CHECK(selection.quality.good == 1u);
  CHECK(selection.quality.precision == 1.0);
  CHECK(selection.quality.base_rate == 0.25);
  CHECK(mentions(study.warnings, "more than half"));
}

TEST_CASE("the baselines stand beside the selection") {
  const Study study = prune(four_models(), {.size = 2, .metrics = {Metric::bd}});
  CHECK(study.baselines.best_single.team == Team{0});
  CHECK(study.baselines.best_single.correct == 4);
  CHECK(study.baselines.most_accurate.team == Team{0, 1});
  CHECK(study.baselines.most_accurate.correct == 5);
  REQUIRE(study.baselines.best_of_size.has_value());
  CHECK(study.baselines.best_of_size->team == Team{0, 1});
}

TEST_CASE(
    "the consensus recommends the most accurate, then the cheapest, and owns up to baselines") {
  const Study study =
      prune(four_models(),
            {.size = 2, .beta = {0.34}, .metrics = {Metric::bd}, .choose = Choose::consensus});
  REQUIRE(study.recommended.has_value());
  CHECK(study.recommended->figures.team == Team{0, 1});  // as good as 0,2 and 1,2, but cheaper
  CHECK(study.recommended->from == "BD");
  CHECK(study.recommended->why.find("also the 2 most accurate models") != std::string::npos);
  CHECK(study.recommended->why.find("same samples") != std::string::npos);

  Pool dear = four_models();
  dear.models[0].costs[Cost::params] = 100;
  const Study other = prune(
      dear, {.size = 2, .beta = {0.34}, .metrics = {Metric::bd}, .choose = Choose::consensus});
  CHECK(other.recommended->figures.team == Team{1, 2});
  CHECK(other.recommended->why.find(
            "As good on these samples: the 2 most accurate models (a, b: 5)") != std::string::npos);

  const Study judged =
      prune(dear, {.size = 2, .beta = {0.34}, .metrics = {Metric::bd}, .choose = Choose::consensus},
            {}, four_models());
  CHECK(judged.recommended->why.find("As good there: the 2 most accurate models (a, b: 5)") !=
        std::string::npos);
}

TEST_CASE("a cost that is not known of every model does not decide") {
  Pool pool = four_models();
  pool.models[0].costs[Cost::params] = 100;
  pool.models[3].costs[Cost::params] = std::nullopt;
  const Study study = prune(
      pool, {.size = 2, .beta = {0.34}, .metrics = {Metric::bd}, .choose = Choose::consensus});
  CHECK(study.recommended->figures.team == Team{0, 1});  // by latency
}

TEST_CASE("costs are summed, and latency also as if members ran side by side") {
  const Study study = prune(four_models(), {.size = 2});
  const TeamCosts costs = team_costs(study.pool, Team{0, 2}.view());
  const auto& params = costs.values[static_cast<std::size_t>(Cost::params)];
  REQUIRE(params.has_value());
  CHECK(params->sum == 4);
  CHECK(params->reduction == doctest::Approx(0.6));
  const auto& latency = costs.values[static_cast<std::size_t>(Cost::latency_ms)];
  CHECK(latency->parallel == 30.0);
  CHECK(latency->parallel_reduction == doctest::Approx(0.25));
  CHECK_FALSE(costs.values[static_cast<std::size_t>(Cost::memory_mb)].has_value());
  CHECK_FALSE(costs.empty());
}

TEST_CASE("without metrics the four focal ones prune, and F-BD and F-KW count as one opinion") {
  const Study study = prune(four_models(), {.choose = Choose::consensus});
  CHECK(study.metrics == std::vector{Metric::f_ck, Metric::f_bd, Metric::f_kw, Metric::f_gd});
  CHECK(study.desired_size == 2);
  REQUIRE(study.consensus.has_value());
  CHECK(study.consensus->metrics == 4);
  CHECK(study.consensus->distinct_metrics == 3);
  CHECK_FALSE(mentions(study.warnings, "F-BD and F-KW"));
  const Study asked = prune(four_models(), {.metrics = {Metric::f_bd, Metric::f_kw}});
  CHECK(mentions(asked.warnings, "F-BD and F-KW"));
  REQUIRE(study.recommended.has_value());
  CHECK(study.recommended->from == "MAJORITY-F");
}

TEST_CASE("a correctness pool leaves F-CK out, and refuses it when asked") {
  const Pool pool =
      label_pool({}, {{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {0, 0, 1, 1}}, Kind::correctness);
  const Study study = prune(pool, {});
  CHECK(study.metrics == std::vector{Metric::f_bd, Metric::f_kw, Metric::f_gd});
  CHECK(study.consensus->distinct_metrics == 2);
  CHECK_THROWS_AS((void)prune(pool, {.metrics = {Metric::f_ck}}), UsageError);
  CHECK_NOTHROW((void)prune(pool, {.metrics = {Metric::ck}}));
}

TEST_CASE("what cannot be done is refused with the right kind of error") {
  const auto refused = [](const PruneOptions& options) {
    CHECK_THROWS_AS((void)prune(four_models(), options), UsageError);
  };
  refused({.size = 1});
  refused({.size = 4});
  refused({.beta = {1.0}});
  refused({.size = 3, .beta = {0.1, 0.1, 0.1}});
  refused({.metrics = {Metric::ent}});
  refused({.vote = {.vote = Vote::soft}});
  refused({.require = {"nobody"}});
  refused({.require = {"a"}, .exclude = {"0"}});
  refused({.budget = {{Cost::gflops, 1}}});
  refused({.budget = {{Cost::params, -1}}});
  refused({.size_auto = true, .by = By::mean});
  refused({.size_auto = true, .beta = {0.1, 0.2}});
  const Pool two = label_pool({0, 0}, {{0, 1}, {1, 0}});
  CHECK_THROWS_AS((void)prune(two, {}), InputError);
}

TEST_CASE("mean threshold needs at most 24 models") {
  const std::vector<std::vector<double>> many(25, {0, 1});
  CHECK_THROWS_AS((void)prune(label_pool({0, 0}, many), {.by = By::mean}), UsageError);
}

TEST_CASE("mean threshold keeps what scores above the mean, over all sizes") {
  const Study study = prune(four_models(), {.metrics = {Metric::bd}, .by = By::mean});
  const Selection& selection = study.selections[0];
  // BD of the triples is the mean of their pairs: 6/15 4/15 6/15 6/15; the mean of all ten is
  // (11/5 + 22/15) / 10 = 11/30.
  CHECK(*selection.threshold == doctest::Approx(11.0 / 30));
  CHECK(selection.tiers.empty());
  CHECK(names(selection.selected) == "2,3 0,1 0,1,2 0,2 0,2,3 1,2 1,2,3 ");
  CHECK(selection.quality.good == 4u);
  CHECK(selection.quality.true_positive == 4);
  CHECK(selection.quality.teams_of_size == 10u);
  CHECK_FALSE(selection.quality.cost_reduction.has_value());
}

TEST_CASE("required, excluded and too dear models shape candidates, population and baselines") {
  const Study with_d = prune(
      four_models(),
      {.size = 2, .beta = {0.0}, .metrics = {Metric::bd}, .require = {"d"}, .exclude = {"0"}});
  CHECK(names(with_d.selections[0].selected) == "2,3 1,3 ");
  CHECK(with_d.selections[0].quality.teams_of_size == 2u);
  CHECK(with_d.selections[0].quality.good == 0u);
  CHECK_FALSE(with_d.selections[0].quality.recall.has_value());
  CHECK(with_d.baselines.most_accurate.team == Team{1, 3});
  CHECK(with_d.baselines.best_of_size->team == Team{1, 3});

  const Study cheap =
      prune(four_models(),
            {.size = 2, .beta = {0.0}, .metrics = {Metric::bd}, .budget = {{Cost::params, 4}}});
  CHECK(names(cheap.selections[0].selected) == "0,1 0,2 ");
  CHECK(cheap.selections[0].quality.teams_of_size == 2u);
}

TEST_CASE("above max_evaluate good, recall, base rate and the best team are not computed") {
  const Study study = prune(four_models(), {.size = 2, .metrics = {Metric::bd}, .max_evaluate = 5});
  const Quality& quality = study.selections[0].quality;
  CHECK_FALSE(quality.good.has_value());
  CHECK_FALSE(quality.recall.has_value());
  CHECK_FALSE(quality.base_rate.has_value());
  CHECK(quality.precision.has_value());
  CHECK(quality.not_computed == "not computed: 6 teams of size 2");
  CHECK_FALSE(study.baselines.best_of_size.has_value());
  CHECK(study.baselines.best_of_size_not_computed == "not computed: 6 teams of size 2");
}

TEST_CASE("when everything is cut the study is empty but whole") {
  const Study study = prune(four_models(), {.size = 3, .beta = {0.9}, .detail = true});
  CHECK(study.empty());
  CHECK(study.recommended.has_value());  // The evidence looks at every team.
  const Study by_consensus =
      prune(four_models(), {.size = 3, .beta = {0.9}, .choose = Choose::consensus});
  CHECK_FALSE(by_consensus.recommended.has_value());
  for (const Selection& selection : study.selections) {
    REQUIRE(selection.tiers.size() == 2);
    CHECK(selection.tiers[1].candidates == 0);
    CHECK(selection.quality.selected == 0);
    CHECK_FALSE(selection.quality.precision.has_value());
    CHECK(selection.quality.recall == 0.0);
  }
}

TEST_CASE("size auto takes the smallest size that reaches the entire ensemble") {
  const Study study = prune(four_models(), {.size_auto = true});
  CHECK(study.desired_size == 2);
  // With d in every team no pair is good, and no triple either: the default is used and said.
  const Study none = prune(four_models(), {.size_auto = true, .require = {"d"}});
  CHECK(none.desired_size == 2);
  CHECK(mentions(none.warnings, "no size"));
}

TEST_CASE("beta auto takes the smallest beta with enough precision and recall") {
  const Study study = prune(four_models(), {.size = 2, .beta_auto = true, .metrics = {Metric::bd}});
  // One pruned pair leaves 3 good of 5, two leave 3 of 4: 0.34 * 6 is the first above 2.
  CHECK(study.selections[0].tiers[0].beta == doctest::Approx(0.34));
  CHECK(mentions(study.warnings, "optimistic"));
}

TEST_CASE("models that predict alike are remarked on") {
  const Pool pool = label_pool({0, 0, 0}, {{0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}});
  CHECK(mentions(prune(pool, {}).warnings, "2 models predict exactly as an earlier one"));
  CHECK_FALSE(mentions(prune(four_models(), {}).warnings, "exactly"));
}

TEST_CASE("sampled failures prune by the authors' procedure, the same for the same seed") {
  const auto sampled = [](std::uint64_t seed) {
    return prune(four_models(), {.size = 2, .sample = SampleOptions{.draws = 10, .seed = seed}})
        .selections[0]
        .selected.scores;
  };
  CHECK(sampled(1) == sampled(1));
}

TEST_CASE("scaling over all teams needs no more teams than allowed") {
  CHECK_THROWS_AS(
      (void)prune(four_models(), {.size = 2, .scale = Scale::all, .max_candidates = 6 - 1}),
      UsageError);
  CHECK_NOTHROW((void)prune(four_models(), {.size = 2, .scale = Scale::all}));
}

TEST_CASE("a test pool is judged by the teams chosen on the other") {
  // On the test pool only d is ever right.
  const Pool test = label_pool({0, 0, 0}, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}});
  const Study study =
      prune(four_models(), {.size = 2, .beta = {0.34}, .metrics = {Metric::bd}}, {}, test);
  REQUIRE(study.test.has_value());
  CHECK(study.test->reference_correct == 0);
  CHECK(study.test->pool.models[3].correct == 3);
  const SelectedTeams& selected = study.selections[0].selected;
  REQUIRE(names(selected) == "2,3 0,1 0,2 1,2 ");
  // 2,3 disagree; c has more correct on the selection pool, so it wins the tie and is wrong.
  CHECK(selected.test_correct == std::vector<std::uint32_t>{0, 0, 0, 0});
  CHECK(study.selections[0].test_quality->precision == 1.0);
  CHECK(study.recommended->figures.test_correct == 0u);
  CHECK(study.recommended->why.find("same samples") == std::string::npos);
  CHECK(study.baselines.best_single.test_correct == 0u);
}

TEST_CASE("models that the test pool lacks are dropped from both, by name") {
  Pool test = four_models();
  std::swap(test.models[1], test.models[3]);
  test = pool_of(test, Team{0, 1, 2}.view());  // a, d, c
  const Study study = prune(four_models(), {.size = 2, .exclude = {"1"}}, {}, test);
  REQUIRE(study.pool.models.size() == 3);
  CHECK(study.pool.models[1].name == "c");
  CHECK(study.test->pool.models[1].name == "c");
  CHECK(study.test->pool.models[2].correct == 3);
  CHECK(mentions(study.warnings, "dropped from both pools: b"));
}

TEST_CASE("detail lists every scored team, co-failures and deciding samples") {
  const Study study =
      prune(four_models(), {.size = 2, .beta = {0.34}, .metrics = {Metric::f_bd}, .detail = true});
  REQUIRE(study.detail.has_value());
  const StudyDetail& detail = *study.detail;
  REQUIRE(detail.scored.size() == 2);
  CHECK(detail.scored[0].metric == "F-BD");
  CHECK(detail.scored[0].teams.size() == 6);
  CHECK(detail.scored[0].fates.size() == 6);
  CHECK(detail.scored[0].correct == std::vector<std::uint64_t>{5, 5, 4, 5, 4, 4});
  CHECK(detail.scored[1].metric == "BD");
  CHECK(detail.scored[1].fates.empty());
  CHECK(detail.scored[1].scores[5] == doctest::Approx(0.6));
  CHECK(detail.co_failures ==
        std::vector<std::uint64_t>{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 2});
  CHECK(detail.focal_co_failures.size() == 64);
  CHECK(detail.focal_co_failures[0 * 16 + 3 * 4 + 3] == 1);
  // The recommended 0,1 repairs the samples that a and b fail on alone.
  REQUIRE(study.recommended->figures.team == Team{0, 1});
  CHECK(detail.repaired_count == 2);
  CHECK(detail.broken_count == 0);
  REQUIRE(detail.deciding_samples.size() == 2);
  CHECK(detail.deciding_samples[0].sample == 0);
  CHECK(detail.deciding_samples[0].repaired);
  CHECK(detail.deciding_samples[0].members[0].classes == std::vector{1});
}

TEST_CASE("the recommended team's errors are held against each other") {
  const Study study = prune(four_models(), {.size = 2, .metrics = {Metric::bd}});
  REQUIRE(study.recommended->figures.team == Team{0, 1});
  // Both fail once in five, never together: (5 * 0 - 1) / (1 * 4).
  CHECK(*study.recommended_errors->error_correlation == doctest::Approx(-0.25));
  CHECK(*study.recommended_errors->added_error_ratio == doctest::Approx(0.375));
  CHECK_FALSE(study.recommended_errors->posterior_error_correlation.has_value());
  CHECK_FALSE(study.recommended_robustness.has_value());
}

TEST_CASE("where Lipschitz bounds are known the recommended team's radii are told") {
  PoolParts parts{.name = "soft", .kind = Kind::probabilities};
  parts.labels = testing::vector({0, 1});
  for (const char* name : {"x", "y", "z"}) {
    parts.models.push_back(testing::model(name, testing::matrix(2, 2, {0.75, 0.25, 0.25, 0.75})));
    parts.models.back().costs.lipschitz = 2;
  }
  const Study study = prune(make_pool(std::move(parts)), {.size = 2, .radii = {0.2, 0.3}});
  REQUIRE(study.recommended_robustness.has_value());
  CHECK(study.recommended_robustness->median_radius == doctest::Approx(0.25));
  REQUIRE(study.recommended_robustness->certified.size() == 2);
  CHECK(study.recommended_robustness->certified[0].share == 1.0);
  CHECK(study.recommended_robustness->certified[1].share == 0.0);
}

TEST_CASE("scores are held against accuracy, focal beside baseline") {
  const Study study = prune(four_models(), {.size = 2, .metrics = {Metric::f_bd}});
  const Selection& selection = study.selections[0];
  REQUIRE(selection.correlations.size() == 1);
  REQUIRE(selection.baseline_correlations.size() == 1);
  CHECK(selection.correlations[0].teams == 6);
  // BD 2 2 1 2 1 3 against 5 5 4 5 4 4: doubled ranks 8 8 3 8 3 12 and 10 10 4 10 4 4.
  CHECK(*selection.baseline_correlations[0].spearman == doctest::Approx(18 / std::sqrt(60.0 * 54)));
}

}  // namespace
}  // namespace hqe
