// SPDX-License-Identifier: MIT
/// A fair tournament: methods choose teams on some samples and are judged on others.
/// Implemented in compare.cpp, the words of verdicts in significance.cpp.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/base/run.h"
#include "hqe/methods/method.h"
#include "hqe/predictions/pool.h"
#include "hqe/statistics/intervals.h"
#include "hqe/study/options.h"
#include "hqe/study/study.h"

namespace hqe {

/// More splits of one pool tell nothing new.
inline constexpr int most_repeats = 10'000;

struct CompareOptions {
  /// In 2..M-1. Nothing: default_size().
  std::optional<int> size{};
  /// Seeded stratified splits in halves, at most most_repeats; 1 with a test pool.
  int repeats = 10;
  std::uint64_t seed = 1;
  /// Empty: all of them.
  std::vector<Method> methods{};
  /// Of hierarchical pruning: one value, or one a tier.
  std::vector<double> beta = PruneOptions{}.beta;
  std::optional<std::uint64_t> keep{};
  std::uint64_t max_candidates = PruneOptions{}.max_candidates;
  VoteOptions vote{};
  std::vector<Budget> budget{};
  /// Above this many teams exhaustive search is left out, and the expectation of a random team is
  /// taken over 10,000 drawn ones.
  std::uint64_t max_evaluate = PruneOptions{}.max_evaluate;
  /// Seconds of one branch-and-bound search; what it finds then depends on the machine. Nothing: a
  /// fixed amount of work, some seconds, and the same result everywhere.
  std::optional<double> time_limit{};
  /// Report how long choosing took. Without it the result holds nothing that varies.
  bool times = true;
};

/// What branch and bound proved of its choice on the samples it chose on.
struct Certificate {
  std::uint64_t upper_bound = 0;  ///< No allowed team of the size has more correct.
  bool is_proven = false;         ///< It is the best: upper_bound == its correct count.
  std::uint64_t counted = 0;      ///< Teams whose correct count it took.
};

/// What one method chose on some samples, and how it did on others.
struct Choice {
  /// Empty: the method chose nothing, or (random) no team in particular.
  Team team;
  /// Of each member's vote, as VoteOptions::weights takes them; empty: as the pool's vote has them.
  std::vector<double> weights;
  double selection_correct = 0;  ///< On the samples chosen on; random: expected.
  double test_correct = 0;       ///< On the others.
  std::optional<double> rank;    ///< By test_correct among the methods, 1 = best; ties share.
  std::optional<Certificate> certificate;
  double seconds = 0;        ///< Spent choosing.
  std::string not_computed;  ///< Why there is no choice; else empty.
};

/// What the held-out samples allow to say of a method against the best by rank.
enum class MethodVerdict {
  best,         ///< It is that one.
  better,       ///< More accurate all the same: the best is so by rank.
  same,         ///< As many right in every split, or the same ones on the test pool.
  worse,        ///< Less accurate, by more than chance.
  cannot_tell,  ///< None of these.
};
/// "cannot_tell".
[[nodiscard]] std::string_view to_string(MethodVerdict verdict);
[[nodiscard]] std::optional<MethodVerdict> parse_method_verdict(std::string_view word);

struct MethodResult {
  Method method = Method::random;
  /// Chosen on the entire pool: the team to use. Without test_correct where splits judge.
  Choice chosen;
  /// One a split; one with a test pool.
  std::vector<Choice> splits;
  double test_correct = 0;          ///< Mean over splits.
  Interval test_interval;           ///< Wilson, of one test half's samples.
  std::optional<double> mean_rank;  ///< Nothing where a split has no choice.
  /// Against the best by rank. Nothing where not tested.
  std::optional<MethodVerdict> verdict;
  /// Of the test behind the verdict, Holm's adjustment made. Nothing for the best.
  std::optional<double> p_value;
  /// How far apart the accuracies would have had to be for the test, so adjusted, to call them
  /// different. Nothing for the best and where no difference would have done.
  std::optional<double> detectable;
  /// Mean over all choices: the only figure that varies. Nothing where it was not asked for.
  std::optional<double> seconds;
  std::string note;  ///< How an expectation or a search was limited; may be empty.
};

/// The test behind the verdicts, at 5 % with Holm's adjustment for the number of methods.
enum class SignificanceTest {
  resampled_t,  ///< The corrected resampled t-test of the counts, one a split.
  mcnemar,      ///< McNemar's exact test of the answers on a test pool.
};
/// "corrected resampled t-test", "McNemar's exact test".
[[nodiscard]] std::string_view to_string(SignificanceTest test);

struct Comparison {
  PoolSummary pool;
  std::optional<PoolSummary> test;
  CompareOptions options;
  Vote vote = Vote::plurality;
  int desired_size = 0;
  TeamFigures reference;              ///< The entire ensemble on the entire pool.
  double reference_test_correct = 0;  ///< Mean over splits.
  Interval reference_interval;
  std::uint64_t selection_samples = 0;  ///< Of one split.
  std::uint64_t test_samples = 0;       ///< Of one split.
  /// By mean rank, then in the order of the methods; those without a rank last.
  std::vector<MethodResult> methods;
  std::vector<Message> warnings;  ///< Where it is empty, the last one says why.

  /// No method chose a team in every split.
  [[nodiscard]] bool empty() const;
  /// Nothing with one split, and where no two methods are ranked.
  [[nodiscard]] std::optional<SignificanceTest> significance_test() const;
};

/// What a picture of ranks shows.
struct RankSummary {
  struct Entry {
    std::string title;
    double mean_rank = 0;
    bool is_worse = false;  ///< Its verdict.
  };
  std::string pool;
  int splits = 0;
  std::vector<Entry> methods;                         ///< Best first.
  std::optional<SignificanceTest> significance_test;  ///< As in Comparison.
};
[[nodiscard]] RankSummary rank_summary(const Comparison& comparison);

/// Every method chooses on one half of the samples and is judged on the other, over repeated seeded
/// stratified splits; with `test`, chooses on `pool` and is judged on `test`. The same result for
/// any number of threads, but for seconds and a time limit. Throws UsageError, InputError.
[[nodiscard]] Comparison compare(Pool pool, const CompareOptions& options, const Run& run = {},
                                 std::optional<Pool> test = std::nullopt);

}  // namespace hqe
