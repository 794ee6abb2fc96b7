// SPDX-License-Identifier: MIT
// Every method on one small pool, worked by hand; docs/methods.md tells it in words.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hqe/methods/compare.h"
#include "hqe/methods/greedy.h"
#include "hqe/methods/ordered.h"
#include "hqe/methods/pareto_pruning.h"
#include "tests/reference/methods.h"
#include "tests/support/selection_problem.h"

namespace hqe {
namespace {

using reference::ReferencePool;

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
  // All five are right where three are: everywhere but on sample 4, 7 correct. Of four voters two
  // against two are decided by the larger sum of counts (6 5 5 4 3), and a tie of that by the lower
  // class, the truth.
  const auto correct = [problem = problem_of(pool_of_digits(worked), 3)](const Team& team) {
    return problem.contests.correct_count(team.view());
  };
  CHECK(correct(Team::all(5)) == 7);
  CHECK(correct(Team{1, 2, 3, 4}) == 6);  // 4: three fail; 5: 2 and 4 (8) against 1 and 3 (9).
  CHECK(correct(Team{0, 2, 3, 4}) == 7);  // 4: three fail.
  CHECK(correct(Team{0, 1, 3, 4}) == 6);  // 6, 7: 3 and 4 (7) against 0 and 1; 5 is 9 against 9.
  CHECK(correct(Team{0, 1, 2, 4}) == 6);  // 6, 7: 2 and 4 (8) against 0 and 1.
  CHECK(correct(Team{0, 1, 2, 3}) == 6);  // 6, 7: 2 and 3 (9) against 0 and 1.
  CHECK(greedy_backward_team(problem_of(pool_of_digits(worked), 4)) == Team{0, 2, 3, 4});
  // Two of three decide: 0, 2 and 3 fail together on sample 4 only; the other three teams that are
  // left of 0, 2, 3 and 4 fail on three samples or more.
  CHECK(greedy_backward_team(problem_of(pool_of_digits(worked), 3)) == Team{0, 2, 3});
  // {2, 3} answers as 2, {0, 3} and {0, 2} as 0: of these equals the higher id, 3, leaves.
  CHECK(greedy_backward_team(problem_of(pool_of_digits(worked), 2)) == Team{0, 2});
}

TEST_CASE("Caruana's picks of the worked example, by hand") {
  // Bags of three. With 0 in the bag it is picked first, and no second voter changes an answer, so
  // it is picked again. Without 0 but with 1 and 2: 1, then 2, for the two tie wherever they differ
  // and the truth, the lower class, wins. 1,3,4: 1 twice. 2,3,4: 2 twice. Seed 1 draws eleven bags
  // with 0, five with 1 and 2, one 1,3,4 and three 2,3,4: picks 22, 5 + 2, 5 + 6.
  const WeightedTeam found = caruana_team(problem_of(pool_of_digits(worked), 2));
  CHECK(found.team == Team{0, 2});
  CHECK(found.weights == std::vector<int>{2, 1});
}

TEST_CASE("ties go to the better model, whatever its id") {
  // The same models, the worst first: model i is now 4 - i. The second voter beside 4 changes
  // nothing; the better ones, 2 and 3, are alike, so 2 joins, and with it 1 reaches 7.
  std::vector<std::string> worst_first(worked.rbegin() + 1, worked.rend());
  worst_first.push_back(worked.back());
  const SelectionProblem problem = problem_of(pool_of_digits(worst_first), 3);
  CHECK(greedy_forward_team(problem) == Team{1, 2, 4});
  // 2, 1 and 0 rescue both of 4's failures: 2, then 1, as before.
  CHECK(complementarity_team(problem) == Team{1, 2, 4});
  // Without 1 or 2, {4, 2} and {4, 1} have as many right: 1, the worse, leaves.
  CHECK(greedy_backward_team(problem_of(pool_of_digits(worst_first), 2)) == Team{2, 4});
  // Bags are drawn from the models by count, so they hold the models that they held before, but for
  // the two that are alike: their names, 3 and 2, decide, and these have changed places.
  const WeightedTeam found = caruana_team(problem_of(pool_of_digits(worst_first), 2));
  CHECK(found.team == Team{3, 4});
  CHECK(found.weights == std::vector<int>{1, 2});
}

TEST_CASE("greedy selection with replacement, by hand") {
  // In the worked example nobody changes an answer of 0 that 0 outvotes: its first pick is best.
  const WeightedTeam alone = greedy_with_replacement_team(problem_of(pool_of_digits(worked), 3));
  CHECK(alone.team == Team{0});
  CHECK(alone.weights == std::vector<int>{1});
  // Shares of the true class of two. 2 is right on four samples, 1 on three, 0 on one. 2 joins; 2
  // again stays at four, where 1 or 0 would lose the samples with 0.35 (0.95 of 2). Two votes of 2
  // carry these (1.55 of 3) and one of 0.95 carries the last (1.55): five with 1 as with 0, and 1
  // is the better. No fourth pick can add to that.
  const std::vector<std::vector<double>> shares{{0.35, 0.35, 0.35, 0.35, 0.95},
                                                {0.35, 0.60, 0.60, 0.35, 0.95},
                                                {0.60, 0.60, 0.60, 0.60, 0.30}};
  ReferencePool pool{.model_count = 3, .sample_count = 5, .class_count = 2};
  pool.truth.assign(5, 1);
  for (const std::vector<double>& row : shares) {
    pool.predictions.emplace_back();
    pool.probabilities.emplace_back();
    for (const double share : row) {
      pool.predictions.back().push_back(share > 0.5 ? 1 : 0);
      pool.probabilities.back().push_back({1 - share, share});
    }
  }
  for (const int size : {3, 4, 5}) {
    const WeightedTeam found =
        greedy_with_replacement_team(problem_of(reference::to_pool(pool), size));
    CHECK(found.team == Team{1, 2});
    CHECK(found.weights == std::vector<int>{1, 2});
  }
  const WeightedTeam two = greedy_with_replacement_team(problem_of(reference::to_pool(pool), 2));
  CHECK(two.team == Team{2});
  CHECK(two.weights == std::vector<int>{1});
}

TEST_CASE("the best teams of the worked example, by hand") {
  // Pairs answer as their more accurate member, but for 1 and 2, equally accurate: where they
  // differ, the lower class wins, which is the truth, and they never fail together. 8 correct.
  // Threes: with 0 and 1 both, 6 and 7 are lost; without both of them, 4. {0, 2, 3} loses only 4;
  // 1, 2, 3 also 5; 4 fails with 2 on 2 and 3, with 3 on 0 and 1. 7 correct, and no other team.
  const Pool pool = pool_of_digits(worked);
  CHECK(pareto_team(problem_of(pool, 2)) == Team{1, 2});
  CHECK(pareto_team(problem_of(pool, 3)) == Team{1, 2});
  const auto chosen = [&](Method method, int size) {
    const Comparison found = compare(pool, {.size = size, .methods = {method}}, {}, pool);
    return found.methods.front().chosen;
  };
  for (const Method method : {Method::exhaustive, Method::branch_and_bound}) {
    CHECK(chosen(method, 2).team == Team{1, 2});
    CHECK(chosen(method, 2).selection_correct == 8);
    CHECK(chosen(method, 3).team == Team{0, 2, 3});
    CHECK(chosen(method, 3).selection_correct == 7);
  }
  CHECK(chosen(Method::branch_and_bound, 3).certificate->is_proven);
  CHECK(chosen(Method::branch_and_bound, 3).certificate->upper_bound == 7);
  // The ten pairs: 6 with 0, four times; 8; 5 with 1 or 2, four times; {3, 4} has 4. 56 in all.
  CHECK(chosen(Method::random, 2).selection_correct == doctest::Approx(5.6));
}

TEST_CASE("focal methods on the pairs of the worked example, by hand") {
  // Share of a member's failures on which the other is right, scaled to 0..1 over that member's
  // pairs (F-BD): of 0 with 1 2 3 4: 0 1 1 1; of 1 with 0 2 3 4: 0 1 1/2 1; of 2 with 0 1 3 4:
  // 1 1 2/3 0; of 3 with 0 1 2 4: 1 2/3 2/3 0; of 4 with 0 1 2 3: 1 1 0 0. The more accurate member
  // weighs two, the other one. {0,2} {0,3} {0,4} {1,2} {1,4} have 1, {2,3} 2/3, {1,3} 5/9, {0,1}
  // {2,4} {3,4} 0: a tenth of ten is one, the last of the lowest, {3,4}. F-GD is 1 and 0 for the
  // same pairs. F-CK: an answer that never varies has kappa 0 with one that does or differs, 1 with
  // one that is the same: only 0 beside 1 and 2 beside 4 are told apart, so 0's pairs scale to
  // 0 1 1 1, 2's to 1 1 1 0, all others to 1/2. {0,2} has 1, {0,3} {0,4} {2,3} 5/6, {1,2} 3/4,
  // {1,3} {1,4} {3,4} 1/2, {0,1} {2,4} 1/6: {2,4} goes. All keep {1,2}, which has 8 correct.
  const Pool pool = pool_of_digits(worked);
  const Comparison found = compare(pool, {.size = 2}, {.threads = 1}, pool);
  const auto team = [&](Method method) {
    return std::ranges::find(found.methods, method, &MethodResult::method)->chosen.team;
  };
  for (const Method by_score :
       {Method::hierarchical_f_ck, Method::hierarchical_f_bd, Method::hierarchical_f_kw,
        Method::hierarchical_f_gd, Method::consensus, Method::mean_threshold}) {
    CAPTURE(to_string(by_score));
    CHECK(team(by_score) == Team{0, 2});
  }
  for (const Method by_accuracy :
       {Method::hierarchical_f_ck_by_accuracy, Method::hierarchical_f_bd_by_accuracy,
        Method::hierarchical_f_kw_by_accuracy, Method::hierarchical_f_gd_by_accuracy,
        Method::consensus_by_accuracy, Method::mean_threshold_by_accuracy}) {
    CAPTURE(to_string(by_accuracy));
    CHECK(team(by_accuracy) == Team{1, 2});
  }
}

}  // namespace
}  // namespace hqe
