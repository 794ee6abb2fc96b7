// SPDX-License-Identifier: MIT
#include "hqe/serving/early_exit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "hqe/base/random.h"
#include "hqe/scan/scan.h"
#include "hqe/serving/long_exit.h"
#include "hqe/serving/voter.h"
#include "tests/reference/early_exit.h"
#include "tests/reference/pool.h"

namespace hqe {
namespace {

constexpr int samples = 40;

Pool scores(int models, std::uint64_t seed, int count = samples, int classes = 4) {
  return reference::to_pool(reference::random_pool({.model_count = models,
                                                    .sample_count = count,
                                                    .class_count = classes,
                                                    .accuracy = 0.7,
                                                    .probabilities = true,
                                                    .seed = seed}));
}

Pool labels(int models, std::uint64_t seed, int classes = 3) {
  return reference::to_pool(reference::random_pool({.model_count = models,
                                                    .sample_count = samples,
                                                    .class_count = classes,
                                                    .abstain = 0.1,
                                                    .seed = seed}));
}

VoteRule rule_of(const Pool& pool, Vote vote) {
  std::vector<std::uint64_t> correct;
  for (int m = 0; m < pool.model_count(); ++m) {
    correct.push_back(static_cast<std::uint64_t>(20 + m * 7 % 5));
  }
  return settle_vote(pool.kind, samples, {.vote = vote}, correct);
}

void set_costs(Pool& pool, Cost cost, const std::vector<double>& values) {
  for (std::size_t m = 0; m < values.size(); ++m) pool.models[m].costs[cost] = values[m];
}

/// Whether a voter is decided once those of the set have answered.
bool is_decided(Voter& voter, const Pool& pool, TeamView team, std::uint64_t sample, unsigned set) {
  voter.clear();
  std::vector<double> row(static_cast<std::size_t>(pool.class_count));
  for (std::size_t m = 0; m < team.size(); ++m) {
    if ((set >> m & 1) == 0) continue;
    if (voter.vote().has_scores) {
      class_scores(pool, team[m], sample, row);
      voter.add(static_cast<int>(m), row);
    } else {
      voter.add(static_cast<int>(m), predicted_label(pool, team[m], sample));
    }
  }
  return voter.is_decided();
}

/// The votes that a pool allows, each with what a voter says of every set.
struct Asked {
  Asked(const Pool& from, Vote vote, const Team& of)
      : pool(from), rule(rule_of(from, vote)), team(of) {
    Voter voter(team_vote(pool, rule, team.view()));
    for (std::uint64_t x = 0; x < pool.sample_count; ++x) {
      for (unsigned set = 0; set < 1U << team.size(); ++set) {
        decided.push_back(set != 0 && is_decided(voter, pool, team.view(), x, set));
      }
    }
  }
  bool operator()(int sample, unsigned set) const {
    return decided[(static_cast<std::size_t>(sample) << team.size()) + set];
  }

  const Pool& pool;
  VoteRule rule;
  Team team;
  std::vector<bool> decided;
};

std::vector<int> places(const std::vector<ModelId>& order, const Team& team) {
  std::vector<int> result;
  for (const ModelId model : order) {
    result.push_back(static_cast<int>(std::ranges::find(team, model) - team.begin()));
  }
  return result;
}

TEST_CASE("the order is the cheapest of all orders, and its figures are those of a voter") {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    for (const bool with_scores : {true, false}) {
      // Of many classes most get less than can lead.
      Pool pool = with_scores ? scores(6, seed, samples, std::array{4, 30, 60, 200}[seed - 1])
                              : labels(6, seed, std::array{2, 3, 9, 40}[seed - 1]);
      if (seed > 2) set_costs(pool, Cost::gflops, {0.5, 3, 1, 0.25, 2, 1});
      for (const Vote vote : all_votes) {
        if (!with_scores && vote == Vote::soft) continue;
        const Team team{0, 1, 3, 4, 5};
        const Asked asked(pool, vote, team);
        const EarlyExit exit = early_exit(pool, asked.rule, team.view(), {}, {.threads = 2});
        CHECK(exit.cost == (seed > 2 ? std::optional(Cost::gflops) : std::nullopt));
        std::vector<double> costs(5, 1.0);
        if (seed > 2) costs = {0.5, 3, 0.25, 2, 1};
        const std::vector<int> order = places(exit.selection.order, team);
        CHECK(exit.is_least);
        CHECK(exit.least_cost == exit.selection.expected_cost);
        CHECK(exit.selection.expected_cost ==
              doctest::Approx(reference::expected_cost(order, costs, samples, asked)));
        CHECK(exit.selection.expected_cost ==
              doctest::Approx(reference::least_expected_cost(costs, samples, asked)));
        CHECK(exit.selection.expected_models == doctest::Approx(reference::expected_cost(
                                                    order, std::vector(5, 1.0), samples, asked)));
        CHECK(exit.selection.decided_after.back() == 1);
        unsigned set = 0;
        for (std::size_t k = 0; k < 5; ++k) {
          set |= 1U << order[k];
          int count = 0;
          for (int x = 0; x < samples; ++x) count += asked(x, set) ? 1 : 0;
          CHECK(exit.selection.decided_after[k] == count / static_cast<double>(samples));
        }
        CHECK_FALSE(exit.held_out);  // Too few samples for halves.
      }
    }
  }
}

TEST_CASE("what is decided stays decided") {
  for (const std::uint64_t seed : {5, 6}) {
    for (const bool with_scores : {true, false}) {
      const Pool pool = with_scores ? scores(5, seed) : labels(5, seed);
      for (const Vote vote : all_votes) {
        if (!with_scores && vote == Vote::soft) continue;
        const Asked asked(pool, vote, Team{0, 1, 2, 3, 4});
        int lost = 0;
        for (int x = 0; x < samples; ++x) {
          for (unsigned set = 1; set < 32; ++set) {
            for (unsigned bit = 1; bit < 32; bit *= 2) {
              lost += asked(x, set) && !asked(x, set | bit) ? 1 : 0;
            }
          }
        }
        CHECK(lost == 0);
      }
    }
  }
}

TEST_CASE("members of a large team come by what they bring, and the bound is below every order") {
  Random random(3);
  for (const bool with_scores : {true, false}) {
    Pool pool = with_scores ? scores(10, 7) : labels(10, 7);
    set_costs(pool, Cost::latency_ms, {1, 2, 1, 3, 0, 2, 1, 1, 2, 0.5});
    for (const Vote vote : all_votes) {
      if (!with_scores && vote == Vote::soft) continue;
      CAPTURE(to_string(vote));
      const Team team = Team::all(10);
      const Asked asked(pool, vote, team);
      const EarlyExit exit = early_exit(pool, asked.rule, team.view(), {}, {.threads = 2});
      CHECK(exit.cost == Cost::latency_ms);
      CHECK_FALSE(exit.is_least);
      CHECK(exit.full_cost == 13.5);
      const std::vector<double> costs{1, 2, 1, 3, 0, 2, 1, 1, 2, 0.5};
      std::vector<int> order = places(exit.selection.order, team);
      CHECK(exit.selection.expected_cost ==
            doctest::Approx(reference::expected_cost(order, costs, samples, asked)));
      CHECK(std::set(order.begin(), order.end()).size() == 10);
      double mean = 0;
      for (int round = 0; round < 50; ++round) {
        for (std::size_t i = 10; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        const double cost = reference::expected_cost(order, costs, samples, asked);
        CHECK(exit.least_cost <= cost);
        mean += cost / 50;
      }
      CHECK(exit.selection.expected_cost < mean);
      CHECK(exit.least_cost > 0);
    }
  }
}

TEST_CASE("the bound of a large team is below the best order of a small one") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const bool with_scores : {true, false}) {
      const Pool pool = with_scores ? scores(4, seed) : labels(4, seed);
      for (const Vote vote : all_votes) {
        if (!with_scores && vote == Vote::soft) continue;
        const Asked asked(pool, vote, Team::all(4));
        const std::vector<double> costs{1, 2, 0.5, 1};
        std::vector<std::uint64_t> all(samples);
        for (std::uint64_t x = 0; x < samples; ++x) all[x] = x;
        const MemberGains gains =
            member_gains(pool, asked.rule, asked.team.view(), costs, all, {.threads = 1});
        CHECK(gains.least_cost <= reference::least_expected_cost(costs, samples, asked));
      }
    }
  }
}

TEST_CASE("an order is judged on samples that did not choose it") {
  const Pool pool = scores(5, 9, 300), test = scores(5, 10, 250);
  const VoteRule rule = rule_of(pool, Vote::soft);
  const Team team{0, 1, 2, 4};
  const EarlyExit by_half = early_exit(pool, rule, team.view(), {.seed = 3}, {});
  REQUIRE(by_half.held_out);
  CHECK(by_half.held_out->by == ExitJudge::half);
  CHECK(by_half.held_out->run.samples == 150);
  CHECK(by_half.selection.samples == 300);
  const EarlyExit by_test = early_exit(pool, rule, team.view(), {}, {}, &test);
  CHECK(by_test.held_out->by == ExitJudge::test);
  CHECK(by_test.held_out->run.samples == 250);
  CHECK(by_test.held_out->run.order == by_test.selection.order);
  CHECK(by_test.selection.order == by_half.selection.order);
  const EarlyExit of_nothing =
      early_exit(pool, rule, team.view(), {.judge_on_half = false, .most_scores = 1}, {});
  CHECK_FALSE(of_nothing.held_out);
  CHECK(of_nothing.selection.samples == 300);  // Never fewer than 1,024 where there are as many.
}

TEST_CASE("no number of threads changes an early exit, of a small or a large team") {
  const Pool pool = scores(12, 11, 1000);
  const VoteRule rule = rule_of(pool, Vote::weighted);
  for (const int size : {5, 12}) {
    const Team team = Team::all(size);
    const EarlyExit one = early_exit(pool, rule, team.view(), {}, {.threads = 1});
    for (const int threads : {2, 7}) {
      const EarlyExit many = early_exit(pool, rule, team.view(), {}, {.threads = threads});
      CHECK(many.selection.order == one.selection.order);
      CHECK(many.selection.expected_cost == one.selection.expected_cost);
      CHECK(many.least_cost == one.least_cost);
      CHECK(many.held_out->run.order == one.held_out->run.order);
      CHECK(many.held_out->run.decided_after == one.held_out->run.decided_after);
    }
  }
}

TEST_CASE("who weighs nothing runs last, and costs that are not known of all do not count") {
  Pool pool = scores(3, 12);
  set_costs(pool, Cost::latency_ms, {1, 1});
  set_costs(pool, Cost::gflops, {0, 0, 0});
  VoteRule rule = rule_of(pool, Vote::weighted);
  rule.weights = {0, 1, 1};
  const EarlyExit exit = early_exit(pool, rule, Team::all(3).view(), {}, {});
  CHECK_FALSE(exit.cost);
  CHECK(exit.full_cost == 3);
  CHECK(exit.selection.order.back() == 0);
  CHECK(exit.selection.expected_models <= 2);
  for (const ExitJudge judge : {ExitJudge::test, ExitJudge::half}) {
    CHECK(parse_exit_judge(to_string(judge)) == judge);
  }
  CHECK_FALSE(parse_exit_judge("folds"));
}

}  // namespace
}  // namespace hqe
