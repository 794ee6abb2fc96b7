// SPDX-License-Identifier: MIT
#include "hqe/methods/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/methods/choose.h"
#include "hqe/methods/greedy.h"
#include "hqe/methods/ranks.h"
#include "hqe/predictions/samples.h"
#include "hqe/study/prepare.h"

namespace hqe {
namespace {

constexpr double significance_level = 0.05;

void check(const CompareOptions& options) {
  if (options.repeats < 1) {
    throw UsageError(fmt::format("{} repeats. At least one split is needed", options.repeats));
  }
  if (options.time_limit && !(*options.time_limit > 0)) {
    throw UsageError("the time limit must be a positive number of seconds");
  }
}

/// One bar for the whole tournament, whatever its pieces report.
class Tournament {
 public:
  Tournament(const CompareOptions& options, const Run& run, int rounds)
      : options_(options),
        run_(run),
        total_(static_cast<std::uint64_t>(rounds) *
               static_cast<std::uint64_t>(work_count(options))),
        inner_{.threads = run.threads} {
    if (run_.on_progress) {
      inner_.on_progress = [this](const Progress&) { report(); };
    }
  }
  Tournament(const Tournament&) = delete;
  Tournament& operator=(const Tournament&) = delete;

  [[nodiscard]] const Run& run() const { return inner_; }

  std::vector<Choice> play(Prepared& prepared, std::uint64_t seed) {
    return choose(prepared, options_, seed, [this](std::string_view) {
      report();
      ++done_;
    });
  }

 private:
  void report() const {
    if (run_.on_progress) {
      run_.on_progress({"comparing methods", std::min(done_, total_), total_});
    }
  }

  const CompareOptions& options_;
  const Run& run_;
  std::uint64_t done_ = 0, total_;
  Run inner_;
};

void add_round(std::vector<MethodResult>& results, std::vector<Choice> choices) {
  for (std::size_t i = 0; i < choices.size(); ++i) {
    *results[i].seconds += choices[i].judged.seconds;
    results[i].splits.push_back(std::move(choices[i].judged));
  }
}

/// Ranks the methods that chose in every split, one row a split.
std::vector<std::vector<double>> rank_methods(std::vector<MethodResult>& results) {
  std::vector<MethodResult*> ranked;
  for (MethodResult& result : results) {
    const bool is_complete = std::ranges::all_of(
        result.splits, [](const Judged& split) { return split.not_computed.empty(); });
    if (is_complete) ranked.push_back(&result);
  }
  std::vector<std::vector<double>> rows;
  if (ranked.empty()) return rows;
  for (std::size_t split = 0; split < ranked.front()->splits.size(); ++split) {
    std::vector<double> correct;
    for (const MethodResult* result : ranked) {
      correct.push_back(result->splits[split].test_correct);
    }
    rows.push_back(ranks_of(correct));
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      ranked[i]->splits[split].rank = rows.back()[i];
    }
  }
  for (MethodResult* result : ranked) {
    double sum = 0;
    for (const Judged& split : result->splits) sum += *split.rank;
    result->mean_rank = sum / static_cast<double>(result->splits.size());
  }
  return rows;
}

void summarise(Comparison& comparison) {
  for (MethodResult& result : comparison.methods) {
    double sum = 0;
    for (const Judged& split : result.splits) sum += split.test_correct;
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

/// Which mean ranks are further from the best than chance explains.
void judge_by_ranks(Comparison& comparison, const std::vector<std::vector<double>>& rows) {
  comparison.friedman = friedman_test(rows);
  comparison.critical_difference =
      rows.empty() ? std::nullopt : critical_difference(rows.front().size(), rows.size());
  if (!comparison.critical_difference) return;
  std::vector<double> mean_ranks;
  for (MethodResult& result : comparison.methods) {
    if (!result.mean_rank) break;
    mean_ranks.push_back(*result.mean_rank);
    result.is_worse = *result.mean_rank - mean_ranks.front() > *comparison.critical_difference;
  }
  comparison.groups = groups_within(mean_ranks, *comparison.critical_difference);
}

/// A bit a sample: is the choice right?
std::vector<std::uint64_t> right_samples(const Measured& test, const Judged& judged,
                                         const Run& run) {
  std::vector<ModelId> voters(judged.team.begin(), judged.team.end());
  if (!judged.weights.empty()) voters = WeightedTeam{judged.team, judged.weights}.voters();
  std::vector<std::uint64_t> bits((test.pool.sample_count + 63) / 64, 0);
  parallel_for(
      run, "comparing answers", bits.size(), 4, [&](std::uint64_t begin, std::uint64_t end, int) {
        for (std::uint64_t sample = begin * 64; sample < std::min(end * 64, test.pool.sample_count);
             ++sample) {
          const bool right = team_answer(test.pool, test.contests->rule(), voters, sample) ==
                             test.pool.true_label(sample);
          bits[sample / 64] |= std::uint64_t{right} << (sample % 64);
        }
      });
  return bits;
}

PairedCounts paired_counts(const std::vector<std::uint64_t>& first,
                           const std::vector<std::uint64_t>& second, std::uint64_t total) {
  PairedCounts counts{.total = total};
  for (std::size_t i = 0; i < first.size(); ++i) {
    counts.only_first += static_cast<std::uint64_t>(std::popcount(first[i] & ~second[i]));
    counts.only_second += static_cast<std::uint64_t>(std::popcount(second[i] & ~first[i]));
  }
  return counts;
}

/// One test pool allows no ranks over splits, but its samples pair the methods' answers.
void judge_by_answers(Comparison& comparison, const Measured& test, const Run& run) {
  std::map<std::pair<Team, std::vector<int>>, std::vector<std::uint64_t>> known;
  const auto answers = [&](const Judged& judged) -> const std::vector<std::uint64_t>& {
    const auto [place, is_new] = known.try_emplace({judged.team, judged.weights});
    if (is_new) place->second = right_samples(test, judged, run);
    return place->second;
  };
  std::vector<MethodResult*> others;
  const Judged* best = nullptr;
  for (MethodResult& result : comparison.methods) {
    if (!result.mean_rank || result.method == Method::random) continue;
    if (best == nullptr) {
      best = &result.splits.front();
      result.is_worse = false;
    } else {
      others.push_back(&result);
    }
  }
  std::vector<double> p_values;
  for (const MethodResult* result : others) {
    p_values.push_back(mcnemar_p_value(
        paired_counts(answers(*best), answers(result->splits.front()), test.pool.sample_count)));
  }
  p_values = holm_adjusted(p_values);
  for (std::size_t i = 0; i < others.size(); ++i) {
    others[i]->p_value = p_values[i];
    others[i]->is_worse = p_values[i] < significance_level;
  }
}

std::vector<MethodResult> start_results(std::vector<Choice> choices) {
  std::vector<MethodResult> results;
  for (Choice& choice : choices) {
    results.push_back({.method = choice.method,
                       .chosen = std::move(choice.judged),
                       .note = std::move(choice.note)});
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
  Prepared whole(std::move(pool), std::move(test), prune, tournament.run());
  Comparison comparison{.pool = summary_of(whole.measured),
                        .options = options,
                        .vote = whole.correct.contests().rule().vote,
                        .desired_size = whole.settings.hierarchical.desired_size,
                        .reference = whole.reference,
                        .warnings = whole.warnings};
  comparison.methods = start_results(tournament.play(whole, options.seed));
  if (has_test) {
    comparison.test = summary_of(*whole.test);
    comparison.reference_test_correct = static_cast<double>(*whole.reference.test_correct);
    comparison.selection_samples = comparison.pool.sample_count;
    comparison.test_samples = comparison.test->sample_count;
    for (MethodResult& result : comparison.methods) result.splits.push_back(result.chosen);
  }
  for (int i = 0; i < splits; ++i) {
    const std::uint64_t seed = Random(options.seed, static_cast<std::uint64_t>(i) + 1).bits();
    const SampleSplit split = split_samples(whole.measured.pool, 0.5, seed);
    Prepared half(samples_of(whole.measured.pool, split.selection),
                  samples_of(whole.measured.pool, split.held_out), prune, tournament.run());
    comparison.selection_samples = split.selection.size();
    comparison.test_samples = split.held_out.size();
    comparison.reference_test_correct += static_cast<double>(*half.reference.test_correct) / splits;
    add_round(comparison.methods, tournament.play(half, seed));
  }
  for (MethodResult& result : comparison.methods) {
    *result.seconds /= splits + 1;
    if (!options.times) result.seconds.reset();
  }
  const auto rows = rank_methods(comparison.methods);
  summarise(comparison);
  order_by_rank(comparison.methods);
  if (has_test) {
    judge_by_answers(comparison, *whole.test, tournament.run());
  } else {
    judge_by_ranks(comparison, rows);
    comparison.warnings.emplace_back(
        "splits of one pool share samples, so ranks over splits are less independent than the "
        "critical difference supposes: read it as a lower bound");
  }
  return comparison;
}

RankSummary rank_summary(const Comparison& comparison) {
  RankSummary summary{.pool = comparison.pool.name,
                      .critical_difference = comparison.critical_difference,
                      .groups = comparison.groups};
  for (const MethodResult& result : comparison.methods) {
    if (!result.mean_rank) continue;
    summary.splits = static_cast<int>(result.splits.size());
    summary.methods.push_back({std::string(title_of(result.method)), *result.mean_rank});
  }
  return summary;
}

}  // namespace hqe
