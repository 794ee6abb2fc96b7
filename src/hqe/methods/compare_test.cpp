// SPDX-License-Identifier: MIT
#include "hqe/methods/compare.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "hqe/base/error.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/methods.h"

namespace hqe {
namespace {

using reference::ReferencePool;

ReferencePool literal_pool(std::uint64_t seed, bool probabilities = false, int samples = 120) {
  return reference::random_pool({.model_count = 6,
                                 .sample_count = samples,
                                 .class_count = 3,
                                 .probabilities = probabilities,
                                 .seed = seed});
}

const MethodResult& result_of(const Comparison& comparison, Method method) {
  const auto place = std::ranges::find(comparison.methods, method, &MethodResult::method);
  REQUIRE(place != comparison.methods.end());
  return *place;
}

TEST_CASE("names of methods read back, with hyphens too") {
  for (const Method method : all_methods()) CHECK(parse_method(to_string(method)) == method);
  CHECK(parse_method("greedy-forward") == Method::greedy_forward);
  CHECK_FALSE(parse_method("best"));
}

TEST_CASE("with a test pool every method chooses on one pool and is counted on the other") {
  for (const bool probabilities : {false, true}) {
    const ReferencePool literal = literal_pool(3, probabilities);
    const ReferencePool other = literal_pool(4, probabilities, 90);
    const Comparison found = compare(reference::to_pool(literal), {.size = 3}, {.threads = 1},
                                     reference::to_pool(other));
    CHECK(found.methods.size() == all_methods().size());
    const auto members = [&](Method method) {
      const Team& team = result_of(found, method).chosen.team;
      return reference::Members(team.begin(), team.end());
    };
    for (const Method method :
         {Method::exhaustive, Method::branch_and_bound, Method::greedy_forward}) {
      CHECK(members(method) == reference::voters_of(method, literal, 3, CompareOptions{}.seed));
    }
    CHECK(result_of(found, Method::branch_and_bound).chosen.certificate->is_proven);
    const MethodResult& random = result_of(found, Method::random);
    CHECK(random.chosen.selection_correct ==
          doctest::Approx(reference::expected_right(literal, 3)).epsilon(1e-12));
    if (probabilities) {  // Otherwise ties are broken by counts on the selection pool.
      CHECK(random.test_correct ==
            doctest::Approx(reference::expected_right(other, 3)).epsilon(1e-12));
      const auto voters = reference::voters_of(Method::caruana, literal, 3, CompareOptions{}.seed);
      CHECK(result_of(found, Method::caruana).test_correct ==
            static_cast<double>(reference::count_right(other, voters)));
    }
    CHECK(found.test_samples == 90);
    CHECK(*result_of(found, Method::random).mean_rank >= 1);
    CHECK_FALSE(result_of(found, Method::random).p_value);
  }
}

TEST_CASE("hierarchical picks are the first and the most accurate of what prune keeps") {
  const Pool pool = reference::to_pool(literal_pool(8));
  const Comparison found = compare(pool, {.size = 3}, {.threads = 1}, pool);
  const Study study = prune(pool, {.size = 3}, {.threads = 1});
  for (const auto& [metric, by_score, by_accuracy] :
       {std::tuple("F-GD", Method::hierarchical_f_gd, Method::hierarchical_f_gd_by_accuracy),
        std::tuple("F-CK", Method::hierarchical_f_ck, Method::hierarchical_f_ck_by_accuracy),
        std::tuple("F-BD", Method::hierarchical_f_bd, Method::hierarchical_f_bd_by_accuracy),
        std::tuple("F-KW", Method::hierarchical_f_kw, Method::hierarchical_f_kw_by_accuracy),
        std::tuple("MAJORITY-F", Method::consensus, Method::consensus_by_accuracy)}) {
    CAPTURE(metric);
    const Selection* selection = &study.consensus->selection;
    for (const Selection& each : study.selections) {
      if (each.metric == metric) selection = &each;
    }
    const SelectedTeams& kept = selection->selected;
    REQUIRE(kept.size() > 0);
    CHECK(result_of(found, by_score).chosen.team == Team(kept.teams[0]));
    const auto best = std::ranges::max_element(kept.correct) - kept.correct.begin();
    CHECK(result_of(found, by_accuracy).chosen.team ==
          Team(kept.teams[static_cast<std::size_t>(best)]));
  }
  const Study mean = prune(pool, {.metrics = {Metric::f_gd}, .by = By::mean}, {.threads = 1});
  const SelectedTeams& kept = mean.selections.front().selected;
  std::vector<std::size_t> threes;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept.teams[i].size() == 3) threes.push_back(i);
  }
  REQUIRE_FALSE(threes.empty());
  CHECK(result_of(found, Method::mean_threshold).chosen.team == Team(kept.teams[threes.front()]));
  const std::size_t best =
      *std::ranges::max_element(threes, {}, [&](std::size_t i) { return kept.correct[i]; });
  CHECK(result_of(found, Method::mean_threshold_by_accuracy).chosen.team == Team(kept.teams[best]));
}

TEST_CASE("splits judge on samples that were not chosen on, whatever the number of threads") {
  const Pool pool = reference::to_pool(literal_pool(5));
  const CompareOptions options{.size = 3, .repeats = 3, .seed = 7, .times = false};
  const Comparison one = compare(pool, options, {.threads = 1});
  const Comparison two = compare(pool, options, {.threads = 2});
  CHECK(one.selection_samples + one.test_samples == 120);
  REQUIRE(one.methods.size() == two.methods.size());
  for (std::size_t i = 0; i < one.methods.size(); ++i) {
    const MethodResult& a = one.methods[i];
    CHECK(a.method == two.methods[i].method);
    CHECK(a.chosen.team == two.methods[i].chosen.team);
    CHECK(a.mean_rank == two.methods[i].mean_rank);
    CHECK(a.test_correct == two.methods[i].test_correct);
    CHECK_FALSE(a.seconds);
    REQUIRE(a.splits.size() == 3);
    for (const Choice& split : a.splits) {
      CHECK(split.selection_correct <= 60);
      CHECK(split.test_correct <= 60);
    }
    if (i > 0 && a.mean_rank) CHECK(*a.mean_rank >= *one.methods[i - 1].mean_rank);
  }
  CHECK(one.significance_test() == SignificanceTest::resampled_t);
  CHECK(one.methods.front().verdict == MethodVerdict::best);
  CHECK_FALSE(one.methods.front().p_value);
  CHECK(one.methods.back().p_value);
  double sum = 0;
  for (const MethodResult& result : one.methods) sum += result.mean_rank.value_or(0);
  const auto ranked = static_cast<double>(std::ranges::count_if(
      one.methods, [](const MethodResult& result) { return result.mean_rank.has_value(); }));
  CHECK(sum == doctest::Approx(ranked * (ranked + 1) / 2));
}

TEST_CASE("an exception out of progress cancels every round and passes through") {
  struct Enough {};
  const Pool pool = reference::to_pool(literal_pool(5));
  for (const int threads : {1, 2, 3}) {
    int calls = 0;
    const Run run{.threads = threads, .on_progress = [&](const Progress& progress) {
                    CHECK(progress.done <= progress.total);
                    if (++calls == 90) throw Enough();
                  }};
    CHECK_THROWS_AS((void)compare(pool, {.size = 3}, run), Enough);
    CHECK(calls == 90);
  }
}

TEST_CASE("samples in another order, each told twice, change no method's choice") {
  for (const std::uint64_t seed : {11, 12, 13}) {
    const ReferencePool literal = literal_pool(seed, seed == 12, 60);
    ReferencePool twice = literal;
    twice.sample_count = 120;
    const auto doubled = [](auto& row) {
      const auto backwards = std::vector(row.rbegin(), row.rend());
      row.insert(row.end(), backwards.begin(), backwards.end());
    };
    doubled(twice.truth);
    for (auto& row : twice.predictions) doubled(row);
    for (auto& row : twice.probabilities) doubled(row);
    const Pool one = reference::to_pool(literal), two = reference::to_pool(twice);
    const Comparison a = compare(one, {.size = 3}, {.threads = 1}, one);
    const Comparison b = compare(two, {.size = 3}, {.threads = 1}, two);
    for (const MethodResult& result : a.methods) {
      CAPTURE(to_string(result.method));
      if (result.method == Method::decision) continue;  // Twice the samples are more evidence.
      const MethodResult& again = result_of(b, result.method);
      CHECK(result.chosen.team == again.chosen.team);
      CHECK(result.chosen.weights == again.chosen.weights);
      CHECK(2 * result.chosen.selection_correct == doctest::Approx(again.chosen.selection_correct));
    }
  }
}

TEST_CASE("what is too large to compute says so and takes no rank") {
  const Pool pool = reference::to_pool(literal_pool(6));
  const Comparison found =
      compare(pool, {.size = 3, .repeats = 2, .max_evaluate = 10}, {.threads = 1});
  const MethodResult& exhaustive = result_of(found, Method::exhaustive);
  CHECK_FALSE(exhaustive.mean_rank);
  CHECK(exhaustive.chosen.not_computed.find("more than 10") != std::string::npos);
  CHECK(result_of(found, Method::random).note.find("drawn") != std::string::npos);
  CHECK(result_of(found, Method::branch_and_bound).mean_rank);
}

TEST_CASE("a budget binds every method, and impossible requests are refused") {
  Pool pool = reference::to_pool(literal_pool(2));
  for (std::size_t id = 0; id < pool.models.size(); ++id) {
    pool.models[id].costs[Cost::params] = static_cast<double>(id + 1);
  }
  const Comparison found =
      compare(pool, {.size = 3, .repeats = 2, .budget = {{Cost::params, 7}}}, {.threads = 1});
  for (const MethodResult& result : found.methods) {
    double cost = 0;
    for (const ModelId model : result.chosen.team) cost += model + 1;
    CAPTURE(to_string(result.method));
    CHECK(cost <= 7);
  }
  CHECK_THROWS_AS((void)compare(pool, {.size = 6}), UsageError);
  CHECK_THROWS_AS((void)compare(pool, {.repeats = 0}), UsageError);
  CHECK_THROWS_AS((void)compare(pool, {.repeats = 100'000'000}), UsageError);
  CHECK(compare(pool, {.size = 3, .repeats = 2, .budget = {{Cost::params, 0.5}}}).empty());
  CHECK_FALSE(found.empty());
  CHECK_THROWS_AS((void)compare(pool, {.time_limit = -1}), UsageError);
}

/// Models 2 and 5 hesitate where they fail, and never fail together; the others are about as
/// accurate, but fail surely and nearly all on the same samples. Model 0 is better than 5.
Pool planted_pool() {
  const int samples = 200;
  ReferencePool pool{.model_count = 8, .sample_count = samples, .class_count = 2};
  for (int x = 0; x < samples; ++x) pool.truth.push_back(x % 2);
  for (int m = 0; m < 8; ++m) {
    pool.predictions.emplace_back();
    pool.probabilities.emplace_back();
    for (int x = 0; x < samples; ++x) {
      double right = x >= 60 + m && x < (m == 0 ? 136 : 152 + m) ? 0.02 : 0.9;
      if (m == 2) right = x < 125 ? 0.95 : 0.45;
      if (m == 5) right = x >= 90 ? 0.95 : 0.45;
      const int truth = x % 2;
      std::vector<double> row(2, 1 - right);
      row[static_cast<std::size_t>(truth)] = right;
      pool.probabilities.back().push_back(row);
      pool.predictions.back().push_back(right > 0.5 ? truth : 1 - truth);
    }
  }
  return reference::to_pool(pool);
}

TEST_CASE("a planted complementary pair is found by every method that sees complementarity") {
  const Pool pool = planted_pool();
  const Comparison found = compare(pool, {.size = 2}, {.threads = 1}, pool);
  for (const MethodRow& row : method_rows()) {
    if (!row.sees_complementarity) continue;
    CAPTURE(row.name);
    CHECK(result_of(found, row.method).chosen.team == Team{2, 5});
  }
  CHECK(result_of(found, Method::exhaustive).test_correct == 200);
  CHECK(result_of(found, Method::most_accurate).test_correct < 200);
}

}  // namespace
}  // namespace hqe
