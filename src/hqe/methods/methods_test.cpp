// SPDX-License-Identifier: MIT
#include "tests/reference/methods.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "hqe/methods/contribution.h"
#include "hqe/methods/greedy.h"
#include "hqe/methods/ordered.h"
#include "hqe/methods/pareto_pruning.h"
#include "hqe/study/measure.h"

namespace hqe {
namespace {

using reference::Members;
using reference::ReferencePool;

SelectionProblem problem_of(const Pool& pool, int size, std::uint64_t seed = 1) {
  const Measured measured = measure(pool, {.vote = VoteOptions{}}, {.threads = 1});
  return {.contests = *measured.contests,
          .counts = measured.counts,
          .right = RightAnswers(*measured.contests),
          .contributions = individual_contributions(pool, {.threads = 1}),
          .size = size,
          .seed = seed,
          .run = {.threads = 1}};
}

Members members_of(const Team& team) { return {team.begin(), team.end()}; }

/// A pool of labels: a row of digits a model, the truth last.
Pool pool_of_digits(const std::vector<std::string>& rows) {
  ReferencePool pool{.model_count = static_cast<int>(rows.size()) - 1,
                     .sample_count = static_cast<int>(rows.front().size())};
  const auto labels = [&](const std::string& row) {
    std::vector<int> result;
    for (const char digit : row) result.push_back(digit == '-' ? -1 : digit - '0');
    for (const int label : result) pool.class_count = std::max(pool.class_count, label + 1);
    return result;
  };
  for (std::size_t m = 0; m + 1 < rows.size(); ++m) pool.predictions.push_back(labels(rows[m]));
  pool.truth = labels(rows.back());
  return reference::to_pool(pool);
}

struct Named {
  std::string name;
  Team (*fast)(const SelectionProblem&);
  std::function<Members(const ReferencePool&, int)> literal;
};

const std::vector<Named>& team_methods() {
  static const std::vector<Named> methods{
      {"most accurate", most_accurate_team, reference::most_accurate},
      {"complementarity", complementarity_team, reference::complementarity},
      {"margin distance", margin_distance_team, reference::margin_distance},
      {"orientation", orientation_team, reference::orientation},
      {"kappa", kappa_team, reference::kappa_pruning},
      {"individual contribution", individual_contribution_team, reference::individual_contribution},
      {"greedy forward", greedy_forward_team, reference::greedy_forward},
      {"greedy backward", greedy_backward_team, reference::greedy_backward},
      {"drep", drep_team, reference::drep},
      {"pareto", pareto_team,
       [](const ReferencePool& pool, int size) {
         return reference::pareto_pruning(pool, size, 1);
       }},
  };
  return methods;
}

TEST_CASE("every method chooses what its literal version chooses") {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const ReferencePool literal =
        reference::random_pool({.model_count = 4 + static_cast<int>(seed % 4),
                                .sample_count = 12 + static_cast<int>(seed * 5 % 30),
                                .class_count = 2 + static_cast<int>(seed % 3),
                                .abstain = seed % 4 == 1 ? 0.2 : 0,
                                .probabilities = seed % 4 == 2,
                                .seed = seed});
    const Pool pool = reference::to_pool(literal);
    for (int size = 2; size < literal.model_count; ++size) {
      CAPTURE(seed);
      CAPTURE(size);
      const SelectionProblem problem = problem_of(pool, size);
      for (const Named& method : team_methods()) {
        CAPTURE(method.name);
        CHECK(members_of(method.fast(problem)) == method.literal(literal, size));
      }
      const std::vector<ModelId> voters = caruana_team(problem).voters();
      CHECK(Members(voters.begin(), voters.end()) == reference::caruana(literal, size, 1));
    }
  }
}

TEST_CASE("every method keeps to the size and to what is allowed") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const ReferencePool literal = reference::random_pool(
        {.model_count = 9, .sample_count = 60, .probabilities = seed % 2 == 0, .seed = seed});
    SelectionProblem problem = problem_of(reference::to_pool(literal), 4, seed);
    const auto check = [&](const Team& team) {
      CHECK(team.size() >= 1);
      CHECK(team.size() <= 4);
      CHECK(problem.allows(team));
    };
    // Unlimited, then a budget that no four models fit, then one that two models alone fit.
    for (const int limit : {1000, 9, 1}) {
      problem.eligibility.within_budget = [limit](TeamView team) {
        int cost = 0;
        for (const ModelId model : team) cost += model;
        return cost <= limit;
      };
      for (const Named& method : team_methods()) {
        CAPTURE(method.name);
        CAPTURE(limit);
        check(method.fast(problem));
        CHECK(method.fast(problem) == method.fast(problem));
      }
      check(best_single_team(problem));
      const WeightedTeam weighted = caruana_team(problem);
      if (!weighted.team.empty()) check(weighted.team);
      for (const int weight : weighted.weights) CHECK(weight >= 1);
    }
  }
}

TEST_CASE(
    "greedy selection is never worse than its start, and Pareto pruning than a single model") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const ReferencePool literal =
        reference::random_pool({.model_count = 8, .sample_count = 80, .seed = seed});
    const SelectionProblem problem = problem_of(reference::to_pool(literal), 4, seed);
    const auto correct = [&](const Team& team) {
      return problem.contests.correct_count(team.view());
    };
    CHECK(correct(pareto_team(problem)) >= correct(best_single_team(problem)));
    SelectionProblem alone = problem;
    alone.size = 1;
    CHECK(correct(greedy_forward_team(alone)) == correct(best_single_team(problem)));
  }
}

// Five models, eight samples, all true labels 0. Model 0 is right on six samples, 1 and 2 on five,
// 3 on four, 4 on three:
//   sample   0 1 2 3 4 5 6 7
//   model 0  . . . . . . x x
//   model 1  . . . . . x x x
//   model 2  . . x x x . . .
//   model 3  x x . . x x . .
//   model 4  x x x x x . . .
const std::vector<std::string> worked{"00000011", "00000111", "00111000",
                                      "11001100", "11111000", "00000000"};

TEST_CASE("the worked example of docs/methods.md comes out as worked by hand") {
  const SelectionProblem problem = problem_of(pool_of_digits(worked), 3);
  CHECK(most_accurate_team(problem) == Team{0, 1, 2});
  CHECK(best_single_team(problem) == Team{0});
  // 0 fails on 6 and 7, which 2, 3 and 4 all get: 2 is first. {0, 2} answers as 0, the more
  // accurate, wherever they differ, so 6 and 7 are still wrong, and 3 is next.
  CHECK(complementarity_team(problem) == Team{0, 2, 3});
  // {0}, then every pair answers as 0 does: the lowest, 1. {0, 1, x} = where two of three are
  // right: 2 rescues 5, 3 nothing, 4 rescues 5: the lower id.
  CHECK(greedy_forward_team(problem) == Team{0, 1, 2});
  // {0, 2, 3} has two right on every sample but 4: 7 correct, the most of any three.
  CHECK(problem.contests.correct_count(Team{0, 2, 3}.view()) == 7);
  // Agreement with {0}: 4 differs on all but sample 5, so a quarter of four models is 4 alone; then
  // {0, 4} answers as 0, and 3 differs most (0, 1, 4, 5, 6, 7) of 1, 2 and 3.
  CHECK(drep_team(problem) == Team{0, 3, 4});
  // 1 and 4 never agree, by chance they would on 30/64: kappa -30/34. Next come 1 and 2: they agree
  // on 16/64, by chance 34/64: -18/30, before 0 and 4 with (8 - 28)/(64 - 28).
  CHECK(kappa_team(problem) == Team{1, 2, 4});
}

TEST_CASE("signatures and contributions of the worked example, by hand") {
  const Pool pool = pool_of_digits(worked);
  const SelectionProblem problem = problem_of(pool, 2);
  // Votes for label 0, sample by sample: 3 3 3 3 2 3 3 3, so label 1 leads sample 4 only. A right
  // member of the leaders brings the runner-up's votes, 2; a right one outside them 2 x 3 - 2 = 4
  // (sample 4); a wrong one v_correct - v_own - v_max: 3 - 2 - 3 = -2, on sample 4
  // 2 - 3 - 3 = -4.
  //   model 0: five leading right 10, sample 4 right 4, two wrong -4: 10
  //   model 1: four leading right 8, sample 4 right 4, three wrong -6: 6
  //   model 2: five leading right 10, two wrong -4, sample 4 wrong -4: 2
  //   model 3: four leading right 8, three wrong -6, sample 4 wrong -4: -2
  //   model 4: three leading right 6, four wrong -8, sample 4 wrong -4: -6
  CHECK(problem.contributions == std::vector<std::int64_t>{10, 6, 2, -2, -6});
  CHECK(individual_contribution_team(problem) == Team{0, 1});
  // C = (1 1 1 1 -1 1 1 1): 1.C = 6, C.C = 8. c.1 and c.C: model 0 4, 2; 1 2, 0; 2 2, 4; 3 0, 2;
  // 4 -2, 0. Keys 8 c.1 - 6 c.C: 20, 16, -8, -12, -16.
  CHECK(orientation_team(problem) == Team{0, 1});
  // With M = 5 the objective is 15 / 40 of a signature: right costs (15 - 40)^2 = 625, wrong
  // (15 + 40)^2 = 3025, so the first is the most accurate. Beside it a sample costs 15^2 = 225
  // where the sum is 0, 65^2 = 4225 at 2, 95^2 = 9025 at -2. Sums 2, 0, -2 with 1: 5 1 2; 2: 3 5 0;
  // 3: 2 6 0; 4: 1 7 0. 4 is nearest.
  CHECK(margin_distance_team(problem) == Team{0, 4});
}

TEST_CASE("backward elimination of the worked example, by hand") {
  // All five are right where three are: everywhere but on sample 4, 7 correct. Without a model four
  // are left, and ties go to the more accurate side. Without 4: samples 0-3 have 0, 1 and one of 2
  // and 3 right, 5 has 0 and 2 against the weaker 1 and 3, 6 and 7 have 2 and 3 (9) against
  // 0 and 1 (11), sample 4 has 0 and 1 against 2 and 3: 4 leaves if nobody does better.
  const SelectionProblem problem = problem_of(pool_of_digits(worked), 4);
  CHECK(problem.contests.correct_count(Team::all(5).view()) == 7);
  CHECK(problem.contests.correct_count(Team{0, 1, 2, 3}.view()) == 6);
  CHECK(members_of(greedy_backward_team(problem)) ==
        reference::greedy_backward(reference::from_pool(pool_of_digits(worked)), 4));
}

TEST_CASE("a model that is picked twice votes twice") {
  const ReferencePool literal =
      reference::random_pool({.model_count = 6, .sample_count = 50, .seed = 4});
  const SelectionProblem problem = problem_of(reference::to_pool(literal), 3);
  for (const std::vector<ModelId>& voters :
       std::vector<std::vector<ModelId>>{{0, 0, 1}, {2, 2, 2}, {1, 3, 3, 3, 5}}) {
    TeamList list(static_cast<int>(voters.size()));
    list.push_back(voters);
    CHECK(problem.contests.correct_counts(list, {}).front() ==
          reference::count_right(literal, {voters.begin(), voters.end()}));
  }
}

}  // namespace
}  // namespace hqe
