// SPDX-License-Identifier: MIT
#include "hqe/methods/significance.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "hqe/methods/greedy.h"
#include "hqe/methods/ranks.h"
#include "hqe/statistics/student.h"

namespace hqe {
namespace {

constexpr double significance_level = 0.05;

/// `methods`: best first. `p_values`: of the others.
void set_p_values(const std::vector<MethodResult*>& methods, const std::vector<double>& p_values) {
  const std::vector<double> adjusted = holm_adjusted(p_values);
  methods.front()->is_worse = false;
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    MethodResult& other = *methods[i + 1];
    other.p_value = adjusted[i];
    // The best is so by rank; its mean may still be below another's.
    other.is_worse =
        adjusted[i] < significance_level && other.test_correct < methods.front()->test_correct;
  }
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

}  // namespace

void judge_by_ranks(Comparison& comparison, const std::vector<std::vector<double>>& rows) {
  comparison.friedman = friedman_test(rows);
  comparison.critical_difference =
      rows.empty() ? std::nullopt : critical_difference(rows.front().size(), rows.size());
  if (!comparison.critical_difference) return;
  std::vector<double> mean_ranks;
  for (const MethodResult& result : comparison.methods) {
    if (result.mean_rank) mean_ranks.push_back(*result.mean_rank);
  }
  comparison.groups = groups_within(mean_ranks, *comparison.critical_difference);
}

void judge_by_splits(Comparison& comparison) {
  std::vector<MethodResult*> methods;
  std::vector<double> p_values;
  for (MethodResult& result : comparison.methods) {
    if (!result.mean_rank) continue;
    methods.push_back(&result);
    if (methods.size() == 1) continue;
    const MethodResult& best = *methods.front();
    std::vector<double> differences;
    for (std::size_t split = 0; split < best.splits.size(); ++split) {
      differences.push_back(best.splits[split].test_correct - result.splits[split].test_correct);
    }
    p_values.push_back(corrected_resampled_p_value(
        differences, static_cast<double>(comparison.test_samples) /
                         static_cast<double>(comparison.selection_samples)));
  }
  if (!methods.empty()) set_p_values(methods, p_values);
}

void judge_by_answers(Comparison& comparison, const Measured& test, const Run& run) {
  std::map<std::pair<Team, std::vector<int>>, std::vector<std::uint64_t>> known;
  const auto answers = [&](const Judged& judged) -> const std::vector<std::uint64_t>& {
    const auto [place, is_new] = known.try_emplace({judged.team, judged.weights});
    if (is_new) place->second = right_samples(test, judged, run);
    return place->second;
  };
  std::vector<MethodResult*> methods;
  std::vector<double> p_values;
  for (MethodResult& result : comparison.methods) {
    if (!result.mean_rank || result.method == Method::random) continue;
    methods.push_back(&result);
    if (methods.size() == 1) continue;
    p_values.push_back(
        mcnemar_p_value(paired_counts(answers(methods.front()->splits.front()),
                                      answers(result.splits.front()), test.pool.sample_count)));
  }
  if (!methods.empty()) set_p_values(methods, p_values);
}

}  // namespace hqe
