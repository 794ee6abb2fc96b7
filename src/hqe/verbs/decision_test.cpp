// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "hqe/predictions/samples.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/pool.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::strange_pool;

Pool decided_pool(Kind kind, int samples = 260, std::uint64_t seed = 3) {
  return strange_pool(
      {.kind = kind, .model_count = 6, .sample_count = samples, .class_count = 3, .seed = seed});
}

Pool plain_pool(std::uint64_t seed, int samples = 240, double accuracy = 0.7) {
  return reference::to_pool(reference::random_pool({.model_count = 6,
                                                    .sample_count = samples,
                                                    .class_count = 3,
                                                    .accuracy = accuracy,
                                                    .seed = seed}));
}

TEST_CASE(
    "the half judges what the same rule chooses on the other half, and changes nothing else") {
  for (const Kind kind : all_kinds) {
    const Pool pool = decided_pool(kind);
    const Study study = prune(pool, {.size = 3, .seed = 5});
    const Study old_way = prune(pool, {.size = 3, .judge_on_half = false, .seed = 5});
    REQUIRE(study.trust.held_out == HeldOut::half);
    CHECK(old_way.trust.held_out == HeldOut::nothing);
    CHECK(study.reference.correct == old_way.reference.correct);
    CHECK(study.baselines.most_accurate.team == old_way.baselines.most_accurate.team);
    if (!study.recommended->better_baseline) {
      CHECK(study.recommended->figures.team == old_way.recommended->figures.team);
      CHECK(study.recommended->figures.correct == old_way.recommended->figures.correct);
    }
    const SampleSplit split = split_samples(pool, 0.5, 5);
    Pool chosen_on = samples_of(pool, split.selection);
    Pool judged_on = samples_of(pool, split.held_out);
    const Study half =
        prune(chosen_on, {.size = 3, .judge_on_half = false, .seed = 5}, {}, judged_on);
    REQUIRE(study.trust.half);
    if (!study.recommended->better_baseline) {
      CHECK(study.trust.half->team == half.recommended->figures.team);
      CHECK(study.trust.half->held_out.correct == *half.recommended->figures.test_correct);
    }
    CHECK(study.trust.half->held_out.samples == split.held_out.size());
    REQUIRE(study.trust.comparisons.size() == half.trust.comparisons.size());
    for (std::size_t i = 0; i < half.trust.comparisons.size(); ++i) {
      if (study.recommended->better_baseline) continue;
      CHECK(study.trust.comparisons[i].verdict == half.trust.comparisons[i].verdict);
    }
  }
}

TEST_CASE("too few samples, a wish, or too many teams leave the half alone") {
  CHECK(prune(decided_pool(Kind::labels, 199), {.size = 3}).trust.held_out == HeldOut::nothing);
  const Pool pool = decided_pool(Kind::labels);
  CHECK(prune(pool, {.size = 3, .max_evaluate = 10}).trust.held_out == HeldOut::nothing);
  CHECK(prune(pool, {.size = 3, .holdout = 0.3}).trust.held_out == HeldOut::share);
  CHECK(prune(pool, {.size = 3, .folds = 3}).trust.held_out == HeldOut::folds);
}

TEST_CASE("nothing is recommended that its own half calls worse") {
  int mended = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Study study = prune(plain_pool(seed), {.size = 2, .metrics = {Metric::gd}});
    REQUIRE(study.recommended);
    for (const BaselineComparison& comparison : study.trust.comparisons) {
      CAPTURE(seed);
      CHECK(comparison.verdict != Verdict::worse);
    }
    if (!study.recommended->better_baseline) continue;
    ++mended;
    CHECK(study.recommended->why.find("had preferred") != std::string::npos);
  }
  CHECK(mended > 0);
}

TEST_CASE("samples held out on request judge the choice, and a verdict worse is said") {
  int warned = 0;
  for (std::uint64_t seed = 1; seed <= 150 && warned == 0; ++seed) {
    const Pool pool = plain_pool(seed);
    const Study study = prune(pool, {.size = 2, .metrics = {Metric::gd}, .holdout = 0.5});
    const auto is_worse = [](const BaselineComparison& comparison) {
      return comparison.verdict == Verdict::worse;
    };
    if (std::ranges::none_of(study.trust.comparisons, is_worse)) continue;
    ++warned;
    CHECK(study.warnings.back().text().find("is better than the recommended team") !=
          std::string::npos);
  }
  CHECK(warned > 0);
}

TEST_CASE("the cheaper alternative is cheaper, and preferred on request") {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Pool pool = plain_pool(seed, 300, 0.97);
    for (std::size_t m = 0; m < pool.models.size(); ++m) {
      pool.models[m].costs[Cost::params] = static_cast<double>(m == 0 ? 1 : 100);
    }
    const PruneOptions options{
        .size = 3, .metrics = {Metric::gd}, .judge_on_half = false, .margin = 0.2};
    const Study study = prune(pool, options);
    const auto cheaper = std::ranges::find(study.recommended->alternatives,
                                           Alternative::Role::cheaper, &Alternative::role);
    PruneOptions thrifty = options;
    thrifty.prefer = Prefer::cost;
    const Team chosen = prune(pool, thrifty).recommended->figures.team;
    if (cheaper == study.recommended->alternatives.end()) {
      CHECK(chosen == study.recommended->figures.team);
      continue;
    }
    ++found;
    const auto params = [&](const Team& team) {
      return team_costs(study.pool, team.view()).values[0]->sum;
    };
    CHECK(params(cheaper->figures.team) < params(study.recommended->figures.team));
    CHECK(cheaper->says == "as good");
    CHECK(chosen == cheaper->figures.team);
  }
  CHECK(found > 0);
}

TEST_CASE("what was required, excluded or budgeted binds recommendation and alternatives") {
  Pool pool = plain_pool(7, 300);
  for (Model& model : pool.models) model.costs[Cost::params] = 10;
  const auto members = [](const Study& study) {
    std::vector<Team> teams{study.recommended->figures.team};
    for (const Alternative& one : study.recommended->alternatives)
      teams.push_back(one.figures.team);
    return teams;
  };
  for (const Team& team : members(prune(pool, {.size = 3, .require = {"2"}}))) {
    CHECK(team.contains(ModelId{2}));
  }
  for (const Team& team : members(prune(pool, {.size = 3, .exclude = {"1"}}))) {
    CHECK_FALSE(team.contains(ModelId{1}));
  }
  for (const Team& team : members(prune(pool, {.size = 3, .budget = {{Cost::params, 20}}}))) {
    CHECK(team.size() <= 2);
  }
}

TEST_CASE("with another merit, that merit decides") {
  for (const Merit merit : {Merit::balanced, Merit::logloss}) {
    const Study study = prune(decided_pool(Kind::probabilities, 300), {.size = 3, .merit = merit});
    REQUIRE(study.recommended);
    REQUIRE(study.recommended->figures.merit);
    // What was expected of the candidates is in the merit's own terms.
    for (const CandidateFigures& candidate : study.evidence) {
      const bool is_log_loss = merit == Merit::logloss;
      CHECK((is_log_loss ? candidate.worth <= 0 : candidate.worth >= 0));
    }
    const auto entire = std::ranges::find(study.evidence, std::string("the entire ensemble"),
                                          &CandidateFigures::rule);
    REQUIRE(entire != study.evidence.end());
    CHECK(entire->worth == doctest::Approx(*study.reference.merit).epsilon(1e-9));
  }
}

}  // namespace
}  // namespace hqe
