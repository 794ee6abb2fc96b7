// SPDX-License-Identifier: MIT
#include "hqe/methods/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/methods/significance.h"
#include "hqe/methods/tournament.h"
#include "hqe/search/nothing_selected.h"
#include "hqe/search/search_space.h"
#include "hqe/statistics/ranks.h"

namespace hqe {
namespace {

void check(const CompareOptions& options) {
  if (options.repeats < 1) {
    throw UsageError(fmt::format("{} repeats. At least one split is needed", options.repeats));
  }
  if (options.repeats > most_repeats) {
    throw UsageError(fmt::format("{} repeats. More than {} splits of one pool tell nothing new",
                                 options.repeats, most_repeats));
  }
  if (options.time_limit && !(*options.time_limit > 0)) {
    throw UsageError(message("{} must be a positive number of seconds", option("time_limit")));
  }
}

void add_round(Comparison& comparison, Round round) {
  comparison.selection_samples = round.selection_samples;
  comparison.test_samples = round.test_samples;
  comparison.reference_test_correct +=
      static_cast<double>(round.reference_test_correct) / comparison.options.repeats;
  for (std::size_t i = 0; i < round.choices.size(); ++i) {
    MethodResult& result = comparison.methods[i];
    *result.seconds += round.choices[i].choice.seconds;
    result.splits.push_back(std::move(round.choices[i].choice));
  }
}

/// Ranks the methods that chose in every split.
void rank_methods(std::vector<MethodResult>& results) {
  std::vector<MethodResult*> ranked;
  for (MethodResult& result : results) {
    const bool is_complete = std::ranges::all_of(
        result.splits, [](const Choice& split) { return split.not_computed.empty(); });
    if (is_complete) ranked.push_back(&result);
  }
  if (ranked.empty()) return;
  for (std::size_t split = 0; split < ranked.front()->splits.size(); ++split) {
    std::vector<double> correct;
    for (const MethodResult* result : ranked) {
      correct.push_back(result->splits[split].test_correct);
    }
    const std::vector<double> ranks = ranks_of(correct);
    for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i]->splits[split].rank = ranks[i];
  }
  for (MethodResult* result : ranked) {
    double sum = 0;
    for (const Choice& split : result->splits) sum += *split.rank;
    result->mean_rank = sum / static_cast<double>(result->splits.size());
  }
}

void summarise(Comparison& comparison) {
  for (MethodResult& result : comparison.methods) {
    double sum = 0;
    for (const Choice& split : result.splits) sum += split.test_correct;
    result.test_correct = sum / static_cast<double>(result.splits.size());
    result.test_interval = wilson_interval(
        static_cast<std::uint64_t>(std::llround(result.test_correct)), comparison.test_samples);
  }
  comparison.reference_interval =
      wilson_interval(static_cast<std::uint64_t>(std::llround(comparison.reference_test_correct)),
                      comparison.test_samples);
}

void order_by_rank(std::vector<MethodResult>& methods) {
  std::ranges::stable_sort(methods, [](const MethodResult& a, const MethodResult& b) {
    if (a.mean_rank.has_value() != b.mean_rank.has_value()) return a.mean_rank.has_value();
    return a.mean_rank && *a.mean_rank < *b.mean_rank;
  });
}

std::vector<MethodResult> start_results(std::vector<MethodChoice> choices) {
  std::vector<MethodResult> results;
  for (MethodChoice& made : choices) {
    results.push_back(
        {.method = made.method, .chosen = std::move(made.choice), .note = std::move(made.note)});
    results.back().seconds = results.back().chosen.seconds;
  }
  return results;
}

}  // namespace

Comparison compare(Pool pool, const CompareOptions& options, const Run& run,
                   std::optional<Pool> test) {
  check(options);
  const bool has_test = test.has_value();
  const int splits = has_test ? 0 : options.repeats;
  Tournament tournament(options, run, splits + 1);
  const PruneOptions prune = prune_options(options, pool);
  SearchSpace whole(std::move(pool), std::move(test), prune, tournament.run());
  Comparison comparison{.pool = summary_of(whole.selection().measured()),
                        .options = options,
                        .vote = whole.selection().contests().rule().vote,
                        .desired_size = whole.settings().hierarchical.desired_size,
                        .reference = whole.reference(),
                        .warnings = whole.warnings()};
  comparison.methods = start_results(tournament.play(whole));
  if (has_test) {
    comparison.test = summary_of(whole.test()->measured());
    comparison.reference_test_correct = static_cast<double>(*whole.reference().test_correct);
    comparison.selection_samples = comparison.pool.sample_count;
    comparison.test_samples = comparison.test->sample_count;
    for (MethodResult& result : comparison.methods) result.splits.push_back(result.chosen);
  }
  if (!has_test) {
    for (Round& round : tournament.play_splits(whole, prune)) {
      add_round(comparison, std::move(round));
    }
  }
  for (MethodResult& result : comparison.methods) {
    *result.seconds /= splits + 1;
    if (!options.times) result.seconds.reset();
  }
  rank_methods(comparison.methods);
  summarise(comparison);
  order_by_rank(comparison.methods);
  if (has_test) {
    test_by_answers(comparison, whole.test()->measured(), tournament.run());
  } else if (splits > 1) {
    test_by_splits(comparison);
  }
  if (comparison.empty()) {
    const Message over = why_over_budget(whole, comparison.desired_size);
    comparison.warnings.push_back(
        !over.empty() ? over : "no method chose a team: each says why under not_computed");
  }
  whole.check_unchanged();
  return comparison;
}

bool Comparison::empty() const {
  return std::ranges::none_of(methods,
                              [](const auto& method) { return method.mean_rank.has_value(); });
}

std::optional<SignificanceTest> Comparison::significance_test() const {
  const bool is_tested = std::ranges::any_of(
      methods, [](const MethodResult& result) { return result.p_value.has_value(); });
  if (!is_tested) return std::nullopt;
  return test ? SignificanceTest::mcnemar : SignificanceTest::resampled_t;
}

RankSummary rank_summary(const Comparison& comparison) {
  RankSummary summary{.pool = comparison.pool.name,
                      .significance_test = comparison.significance_test()};
  for (const MethodResult& result : comparison.methods) {
    if (!result.mean_rank) continue;
    summary.splits = static_cast<int>(result.splits.size());
    summary.methods.push_back({std::string(title_of(result.method)), *result.mean_rank,
                               result.verdict == MethodVerdict::worse});
  }
  return summary;
}

}  // namespace hqe
