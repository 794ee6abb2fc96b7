// SPDX-License-Identifier: MIT
#include "tests/reference/methods.h"

#include <doctest/doctest.h>

#include <string>

#include "hqe/methods/greedy.h"
#include "hqe/methods/ordered.h"
#include "hqe/methods/pareto_pruning.h"
#include "tests/support/selection_problem.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

using reference::Members;
using reference::ReferencePool;

TEST_CASE("every method chooses what its literal version chooses") {
  testing::Thinned thinned(5);
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    if (thinned.leaves_out()) continue;
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
      for (const MethodRow& row : method_rows()) {
        if (row.choose == nullptr) continue;
        CAPTURE(row.name);
        const std::vector<ModelId> voters = row.choose(problem).voters();
        CHECK(Members(voters.begin(), voters.end()) ==
              reference::voters_of(row.method, literal, size, 1));
      }
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
      for (const MethodRow& row : method_rows()) {
        if (row.choose == nullptr) continue;
        CAPTURE(row.name);
        CAPTURE(limit);
        const WeightedTeam chosen = row.choose(problem);
        CHECK(chosen.voters() == row.choose(problem).voters());
        CHECK(chosen.weights.empty() == (row.answer == MethodAnswer::team));
        for (const int weight : chosen.weights) CHECK(weight >= 1);
        // Half of the models may hold none that is allowed.
        if (row.answer == MethodAnswer::weighted_team && chosen.team.empty()) continue;
        check(chosen.team);
      }
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
