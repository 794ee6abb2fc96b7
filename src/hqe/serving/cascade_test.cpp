// SPDX-License-Identifier: MIT
#include "hqe/serving/cascade.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "hqe/base/random.h"
#include "hqe/bits/target.h"
#include "hqe/predictions/samples.h"
#include "hqe/scan/scan.h"
#include "hqe/serving/voter.h"
#include "tests/reference/cascade.h"
#include "tests/reference/pool.h"

namespace hqe {
namespace {

using reference::ReferencePool;

VoteRule cascade_rule(const Pool& pool, Vote vote, std::vector<double> weights = {}) {
  std::vector<std::uint64_t> correct;
  for (int m = 0; m < pool.model_count(); ++m) {
    correct.push_back(static_cast<std::uint64_t>(2 + m * 7 % 5));
  }
  return settle_vote(pool.kind, 10, {.vote = vote, .weights = std::move(weights)}, correct);
}

/// Whether the first so many of the order decide a sample, asked of a voter.
bool voter_is_decided(const Pool& pool, const VoteRule& rule, const Team& team,
                      const std::vector<std::size_t>& order, int sample, int asked) {
  Voter voter(team_vote(pool, rule, team.view()));
  std::vector<double> row(static_cast<std::size_t>(pool.class_count));
  for (int i = 0; i < asked; ++i) {
    const std::size_t place = order[static_cast<std::size_t>(i)];
    if (voter.vote().has_scores) {
      class_scores(pool, team[place], static_cast<std::uint64_t>(sample), row);
      voter.add(static_cast<int>(place), row);
    } else {
      voter.add(static_cast<int>(place),
                predicted_label(pool, team[place], static_cast<std::uint64_t>(sample)));
    }
  }
  return voter.is_decided();
}

/// Counts the cases, and keeps the first that the literal version counts otherwise.
struct CascadeFindings {
  int cases = 0;
  std::uint64_t changed = 0;
  std::string first;
};

void check_cascades(const ReferencePool& literal, const VoteRule& rule, const Team& team,
                    const std::vector<std::size_t>& order, const std::vector<double>& costs,
                    CascadeFindings& findings) {
  const Pool pool = reference::to_pool(literal);
  const TeamVote vote = team_vote(pool, rule, team.view());
  reference::CascadeTeam asked{
      .order = {},
      .costs = {},
      .weights = rule.vote == Vote::weighted ? rule.weights : std::vector<double>(),
      .has_scores = vote.has_scores,
      .full =
          [&](int sample) {
            return team_answer(pool, rule, team.view(), static_cast<std::uint64_t>(sample));
          },
      .is_decided =
          [&](int sample, int members) {
            return voter_is_decided(pool, rule, team, order, sample, members);
          }};
  for (const std::size_t place : order) {
    asked.order.push_back(static_cast<int>(team[place]));
    asked.costs.push_back(costs[place]);
  }
  const std::vector<StopRule> stops = stop_rules(team.size(), vote.has_scores);
  const std::vector<CascadeRun> runs =
      run_cascades(pool, rule, team.view(), order, costs, stops, {.threads = 1});
  for (std::size_t i = 0; i < stops.size(); ++i, ++findings.cases) {
    const CascadeRun expected = reference::run_cascade(literal, asked, stops[i]);
    findings.changed += expected.changed;
    const bool is_same = runs[i].correct == expected.correct &&
                         runs[i].changed == expected.changed &&
                         runs[i].expected_models == doctest::Approx(expected.expected_models) &&
                         runs[i].expected_cost == doctest::Approx(expected.expected_cost);
    if (is_same || !findings.first.empty()) continue;
    findings.first = std::string(to_string(rule.vote)) + ", rule " + std::to_string(i) + ": " +
                     std::to_string(runs[i].correct) + " correct, not " +
                     std::to_string(expected.correct);
  }
}

TEST_CASE("cascades: every sample of up to 4 members and 3 classes stops literally") {
  CascadeFindings findings;
  for (int members = 1; members <= 4; ++members) {
    ReferencePool pool{.model_count = members, .sample_count = 1, .class_count = 3};
    pool.predictions.assign(static_cast<std::size_t>(members), std::vector<int>(1));
    pool.truth = {1};
    std::vector<std::size_t> order(static_cast<std::size_t>(members));
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    const std::vector<double> costs{1, 2, 0.5, 4};
    for (int votes = 0; votes < 1 << 2 * members; ++votes) {
      for (int m = 0; m < members; ++m) pool.predictions[m][0] = (votes >> 2 * m & 3) - 1;
      for (const Vote vote : {Vote::plurality, Vote::majority, Vote::weighted}) {
        std::vector<double> weights;
        if (vote == Vote::weighted) weights = {2, 1, 0.5, 1};
        weights.resize(vote == Vote::weighted ? static_cast<std::size_t>(members) : 0);
        const VoteRule rule = cascade_rule(reference::to_pool(pool), vote, weights);
        check_cascades(pool, rule, Team::all(members), order, costs, findings);
      }
    }
  }
  CHECK(findings.first == "");
  CHECK(findings.cases == 3 * (4 + 16 + 64 * 2 + 256 * 3));
  CHECK(findings.changed > 0);  // Not exact.
}

TEST_CASE("cascades: scores of few levels, at and beside every threshold, stop literally") {
  // Shares of 0, 1/2 and 1 of two classes and three members: 27 samples, in every order of members.
  CascadeFindings findings;
  ReferencePool pool{.model_count = 3, .sample_count = 27, .class_count = 2};
  pool.predictions.assign(3, std::vector<int>(27));
  pool.probabilities.assign(3, std::vector<std::vector<double>>(27));
  pool.truth.assign(27, 1);
  for (int x = 0; x < 27; ++x) {
    for (int m = 0, rest = x; m < 3; ++m, rest /= 3) {
      const double share = rest % 3 / 2.0;
      pool.probabilities[m][x] = {share, 1 - share};
      pool.predictions[m][x] = share >= 0.5 ? 0 : 1;
    }
  }
  std::vector<std::size_t> order{0, 1, 2};
  do {
    for (const auto& weights : {std::vector<double>{1, 1, 1}, {0, 1, 3}, {2, 0, 0}}) {
      for (const Vote vote : all_votes) {
        const bool weighs = vote == Vote::weighted;
        const VoteRule rule =
            cascade_rule(reference::to_pool(pool), vote, weighs ? weights : std::vector<double>());
        check_cascades(pool, rule, Team::all(3), order, {1, 1, 3}, findings);
      }
    }
  } while (std::ranges::next_permutation(order).found);
  CHECK(findings.first == "");
  CHECK(findings.cases > 600);
  CHECK(findings.changed > 0);
}

TEST_CASE("cascades of random pools stop literally, of labels and scores, weighted too") {
  CascadeFindings findings;
  Random random(5);
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const bool with_scores = seed % 2 == 0;
    const ReferencePool pool = reference::random_pool({.model_count = 7,
                                                       .sample_count = 60,
                                                       .class_count = 4,
                                                       .abstain = with_scores ? 0 : 0.15,
                                                       .probabilities = with_scores,
                                                       .seed = seed});
    const Team team = seed < 4 ? Team{0, 2, 3, 5, 6} : Team{1, 3, 4};
    std::vector<std::size_t> order(static_cast<std::size_t>(team.size()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.below(i)]);
    }
    for (const Vote vote : all_votes) {
      if (!with_scores && vote == Vote::soft) continue;
      check_cascades(pool, cascade_rule(reference::to_pool(pool), vote), team, order,
                     {1, 0.5, 2, 3, 1}, findings);
    }
  }
  CHECK(findings.first == "");
  CHECK(findings.changed > 0);
}

Pool cascade_pool(int samples, std::uint64_t seed, bool with_scores = true) {
  Pool pool = reference::to_pool(reference::random_pool({.model_count = 6,
                                                         .sample_count = samples,
                                                         .class_count = 4,
                                                         .accuracy = 0.7,
                                                         .probabilities = with_scores,
                                                         .seed = seed}));
  const std::vector<double> costs{3, 1, 2, 1, 4, 2};
  for (std::size_t m = 0; m < 6; ++m) pool.models[m].costs[Cost::latency_ms] = costs[m];
  return pool;
}

TEST_CASE("the front of cascades is that of the literal version, and begins with the exact exit") {
  for (const bool with_scores : {true, false}) {
    const Pool pool = cascade_pool(150, 3, with_scores);
    const VoteRule rule = cascade_rule(pool, with_scores ? Vote::soft : Vote::plurality);
    const Team team{0, 1, 2, 4, 5};
    const CascadeFront front = cascade_front(pool, rule, team.view(), 0, {});
    CHECK_FALSE(front.judged_by);  // Too few samples for halves.
    CHECK(front.cost == Cost::latency_ms);
    CHECK(front.full_cost == 12);
    const EarlyExit exit = early_exit(pool, rule, team.view(), {}, {});
    CHECK(front.order == exit.selection.order);
    CHECK(front.exact().stop.kind == StopKind::exact);
    CHECK(front.exact().selection.changed == 0);
    CHECK(front.exact().selection.expected_cost == exit.selection.expected_cost);
    CHECK(front.exact().selection.expected_models == exit.selection.expected_models);
    std::vector<std::size_t> order;
    for (const ModelId model : front.order) {
      order.push_back(static_cast<std::size_t>(std::ranges::find(team, model) - team.begin()));
    }
    const std::vector<StopRule> stops = stop_rules(5, with_scores);
    const std::vector<CascadeRun> runs =
        run_cascades(pool, rule, team.view(), order, std::vector<double>{3, 1, 2, 4, 2}, stops, {});
    const std::vector<std::size_t> expected = reference::cascade_front(runs);
    REQUIRE(front.rows.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(front.rows[i].stop == stops[expected[i]]);
      CHECK(front.rows[i].selection.correct == runs[expected[i]].correct);
      CHECK_FALSE(front.rows[i].held_out);
    }
    CHECK(front.rows.size() > 1);
  }
}

TEST_CASE("a front of cascades is judged on samples that did not choose it") {
  const Pool pool = cascade_pool(400, 4), test = cascade_pool(250, 5);
  const VoteRule rule = cascade_rule(pool, Vote::soft);
  const Team team{0, 1, 3, 4};
  const CascadeFront by_half = cascade_front(pool, rule, team.view(), 7, {});
  CHECK(by_half.judged_by == ExitJudge::half);
  const SampleSplit split = split_samples(pool, 0.5, 7);
  const Pool chosen_on = samples_of(pool, split.selection),
             judge = samples_of(pool, split.held_out);
  const CascadeFront alone = cascade_front(chosen_on, rule, team.view(), 7, {}, &judge);
  CHECK(alone.judged_by == ExitJudge::test);
  CHECK(alone.order == by_half.order);
  REQUIRE(alone.rows.size() == by_half.rows.size());
  for (std::size_t i = 0; i < alone.rows.size(); ++i) {
    CHECK(alone.rows[i].stop == by_half.rows[i].stop);
    CHECK(alone.rows[i].held_out->correct == by_half.rows[i].held_out->correct);
    CHECK(by_half.rows[i].selection.samples == 200);
    CHECK(by_half.rows[i].held_out->samples == 200);
  }
  const CascadeFront by_test = cascade_front(pool, rule, team.view(), 7, {}, &test);
  CHECK(by_test.judged_by == ExitJudge::test);
  CHECK(by_test.exact().selection.samples == 400);
  CHECK(by_test.exact().held_out->samples == 250);
  CHECK(by_test.exact().held_out->changed == 0);
}

TEST_CASE("neither the target nor the number of threads changes a front of cascades") {
  const Pool pool = cascade_pool(1500, 6);
  const VoteRule rule = cascade_rule(pool, Vote::weighted);
  force_target("scalar");
  const CascadeFront one = cascade_front(pool, rule, Team::all(6).view(), 0, {.threads = 1});
  for (const std::string& target : available_targets()) {
    force_target(target);
    for (const int threads : {1, 2, 7}) {
      CAPTURE(target);
      const CascadeFront many =
          cascade_front(pool, rule, Team::all(6).view(), 0, {.threads = threads});
      CHECK(many.order == one.order);
      REQUIRE(many.rows.size() == one.rows.size());
      for (std::size_t i = 0; i < one.rows.size(); ++i) {
        CHECK(many.rows[i].stop == one.rows[i].stop);
        CHECK(many.rows[i].selection.expected_cost == one.rows[i].selection.expected_cost);
        CHECK(many.rows[i].held_out->correct == one.rows[i].held_out->correct);
      }
    }
  }
  force_target(available_targets().back());
}

TEST_CASE("one member runs alone, and two have no agreement short of all") {
  CHECK(stop_rules(1, true).size() == 1);
  CHECK(stop_rules(2, false).size() == 1);
  CHECK(stop_rules(5, false).size() == 4);
  const Pool pool = cascade_pool(20, 8);
  const CascadeFront front =
      cascade_front(pool, cascade_rule(pool, Vote::soft), Team{2}.view(), 0, {});
  REQUIRE(front.rows.size() == 1);
  CHECK(front.exact().selection.expected_models == 1);
  CHECK(front.exact().selection.expected_cost == 2);
}

}  // namespace
}  // namespace hqe
