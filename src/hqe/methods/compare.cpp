// SPDX-License-Identifier: MIT
#include "hqe/methods/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/methods/rounds.h"
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

/// What judges the methods of one round; of the entire pool nothing does where there are splits.
void add_judged(Comparison& comparison, Round round) {
  comparison.selection_samples = round.selection_samples;
  comparison.test_samples = round.test_samples;
  const int splits = comparison.test ? 1 : comparison.options.repeats;
  comparison.reference_test_correct += static_cast<double>(round.reference_test_correct) / splits;
  for (std::size_t i = 0; i < round.choices.size(); ++i) {
    comparison.methods[i].splits.push_back(std::move(round.choices[i].choice));
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

std::vector<MethodResult> start_results(const std::vector<MethodChoice>& choices) {
  std::vector<MethodResult> results;
  for (const MethodChoice& made : choices) {
    results.push_back({.method = made.method, .chosen = made.choice, .note = made.note});
  }
  return results;
}

/// The mean over all rounds.
void set_seconds(std::vector<MethodResult>& methods, const std::vector<Round>& rounds) {
  for (std::size_t i = 0; i < methods.size(); ++i) {
    double sum = 0;
    for (const Round& round : rounds) sum += round.choices[i].choice.seconds;
    methods[i].seconds = sum / static_cast<double>(rounds.size());
  }
}

/// Requires: every round once, in order, of the same methods.
Comparison judged(const SearchSpace& whole, const CompareOptions& options,
                  std::vector<Round> rounds, const Run& run) {
  Comparison comparison{.pool = summary_of(whole.selection().measured()),
                        .options = options,
                        .vote = whole.selection().contests().rule().vote,
                        .desired_size = whole.settings().hierarchical.desired_size,
                        .reference = whole.reference(),
                        .methods = start_results(rounds.front().choices),
                        .warnings = whole.warnings()};
  const bool has_test = whole.test() != nullptr;
  if (has_test) comparison.test = summary_of(whole.test()->measured());
  if (options.times) set_seconds(comparison.methods, rounds);
  for (std::size_t i = has_test ? 0 : 1; i < rounds.size(); ++i) {
    add_judged(comparison, std::move(rounds[i]));
  }
  rank_methods(comparison.methods);
  summarise(comparison);
  order_by_rank(comparison.methods);
  if (has_test) {
    test_by_answers(comparison, whole.test()->measured(), run);
  } else if (options.repeats > 1) {
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

/// Puts rounds of strangers in order.
void check_rounds(std::vector<Round>& rounds, const CompareOptions& options, int count) {
  const auto refuse = [](const std::string& reason) {
    throw InputError("", "rounds of a comparison", reason, "Play the rounds again");
  };
  std::ranges::stable_sort(rounds, {}, &Round::number);
  std::vector<Method> methods;
  for (const MethodRow& row : method_rows()) {
    if (takes_part(options, row.method)) methods.push_back(row.method);
  }
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const int number = rounds[i].number;
    if (number != static_cast<int>(i)) {
      refuse(fmt::format("round {} is {}",
                         number < static_cast<int>(i) ? number : static_cast<int>(i),
                         number < static_cast<int>(i) ? "there twice" : "missing"));
    }
    if (!std::ranges::equal(rounds[i].choices, methods, {}, &MethodChoice::method)) {
      refuse(fmt::format("round {} has other methods than were asked for", number));
    }
  }
  if (std::ssize(rounds) != count) {
    refuse(fmt::format("there are {} where {} belong to it", rounds.size(), count));
  }
}

/// A pool under the options of a comparison, with those who play on it.
struct Arena {
  Arena(Pool pool, std::optional<Pool> test, const CompareOptions& options, const Run& run,
        int rounds)
      : tournament(options, run, rounds),
        prune(prune_options(options, pool)),
        whole(std::move(pool), std::move(test), prune, tournament.run()) {}

  Tournament tournament;
  PruneOptions prune;
  SearchSpace whole;
};

}  // namespace

int round_count(const CompareOptions& options, bool has_test) {
  return has_test ? 1 : options.repeats + 1;
}

Comparison compare(Pool pool, const CompareOptions& options, const Run& run,
                   std::optional<Pool> test) {
  check(options);
  std::vector<int> numbers(static_cast<std::size_t>(round_count(options, test.has_value())));
  std::iota(numbers.begin(), numbers.end(), 0);
  Arena arena(std::move(pool), std::move(test), options, run, static_cast<int>(numbers.size()));
  std::vector<Round> rounds = arena.tournament.play(arena.whole, arena.prune, numbers);
  return judged(arena.whole, options, std::move(rounds), arena.tournament.run());
}

std::vector<Round> play_rounds(Pool pool, const CompareOptions& options,
                               const std::vector<int>& numbers, const Run& run,
                               std::optional<Pool> test) {
  check(options);
  const int count = round_count(options, test.has_value());
  for (const int number : numbers) {
    if (number >= 0 && number < count) continue;
    throw UsageError(
        fmt::format("there is no round {}: this comparison has 0 to {}", number, count - 1));
  }
  Arena arena(std::move(pool), std::move(test), options, run, static_cast<int>(numbers.size()));
  std::vector<Round> rounds = arena.tournament.play(arena.whole, arena.prune, numbers);
  arena.whole.check_unchanged();
  return rounds;
}

Comparison compare_rounds(Pool pool, const CompareOptions& options, std::vector<Round> rounds,
                          const Run& run, std::optional<Pool> test) {
  check(options);
  check_rounds(rounds, options, round_count(options, test.has_value()));
  const Arena arena(std::move(pool), std::move(test), options, run, 1);
  return judged(arena.whole, options, std::move(rounds), run);
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
