// SPDX-License-Identifier: MIT
#include "hqe/methods/significance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "hqe/base/words.h"
#include "hqe/methods/chosen_vote.h"
#include "hqe/statistics/ranks.h"
#include "hqe/statistics/student.h"

namespace hqe {
namespace {

constexpr double significance_level = 0.05;

/// One method against the best.
struct Trial {
  MethodResult* method = nullptr;
  bool is_same = false;
  double p_value = 1;
  /// The smallest difference of accuracies whose p-value, times `factor`, is below the level.
  std::function<std::optional<double>(double factor)> detectable;
};

void set_verdicts(MethodResult& best, const std::vector<Trial>& trials) {
  std::vector<double> p_values;
  for (const Trial& trial : trials) p_values.push_back(trial.p_value);
  const std::vector<double> adjusted = holm_adjusted(p_values);
  const std::vector<double> factors = holm_factors(p_values, significance_level);
  best.verdict = MethodVerdict::best;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    MethodResult& other = *trials[i].method;
    other.p_value = adjusted[i];
    other.verdict = trials[i].is_same                        ? MethodVerdict::same
                    : adjusted[i] >= significance_level      ? MethodVerdict::cannot_tell
                    : other.test_correct < best.test_correct ? MethodVerdict::worse
                                                             : MethodVerdict::better;
    if (!trials[i].is_same) other.detectable = trials[i].detectable(factors[i]);
  }
}

Trial trial_by_splits(const MethodResult& best, MethodResult& other, double test_samples,
                      double held_out_per_selection) {
  std::vector<double> differences;
  for (std::size_t split = 0; split < best.splits.size(); ++split) {
    differences.push_back(best.splits[split].test_correct - other.splits[split].test_correct);
  }
  const double error = corrected_resampled_error(differences, held_out_per_selection);
  const int degrees = static_cast<int>(differences.size()) - 1;
  return {.method = &other,
          .is_same = std::ranges::all_of(differences, [](double each) { return each == 0; }),
          .p_value = corrected_resampled_p_value(differences, held_out_per_selection),
          .detectable = [=](double factor) {
            const double points =
                student_critical_value(significance_level / factor, degrees) * error / test_samples;
            return points <= 1 ? std::optional(points) : std::nullopt;
          }};
}

Trial trial_by_answers(MethodResult& other, const PairedCounts& counts) {
  const std::uint64_t different = counts.only_first + counts.only_second;
  return {.method = &other,
          .is_same = different == 0,
          .p_value = mcnemar_p_value(counts),
          .detectable = [=](double factor) -> std::optional<double> {
            // The fewest of the samples on which one alone is right that must fall to one side.
            const auto is_told = [&](std::uint64_t first) {
              return factor * mcnemar_p_value({.total = counts.total,
                                               .only_first = first,
                                               .only_second = different - first}) <
                     significance_level;
            };
            if (!is_told(different)) return std::nullopt;
            std::uint64_t low = different / 2;
            std::uint64_t high = different;
            while (high - low > 1) {
              const std::uint64_t middle = low + (high - low) / 2;
              if (is_told(middle)) {
                high = middle;
              } else {
                low = middle;
              }
            }
            return static_cast<double>(2 * high - different) / static_cast<double>(counts.total);
          }};
}

/// A bit a sample: is the choice right?
std::vector<std::uint64_t> right_samples(const Measured& test, const Choice& choice,
                                         const Run& run) {
  const ChosenVote vote(choice, test.contests->rule(), test.pool.kind);
  std::vector<std::uint64_t> bits((test.pool.sample_count + 63) / 64, 0);
  parallel_for(
      run, "comparing answers", bits.size(), 4, [&](std::uint64_t begin, std::uint64_t end, int) {
        for (std::uint64_t sample = begin * 64; sample < std::min(end * 64, test.pool.sample_count);
             ++sample) {
          const bool right = vote.answer(test.pool, sample) == test.pool.true_label(sample);
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

constexpr std::array method_verdict_words{
    Word{MethodVerdict::best, "best"}, Word{MethodVerdict::better, "better"},
    Word{MethodVerdict::same, "same"}, Word{MethodVerdict::worse, "worse"},
    Word{MethodVerdict::cannot_tell, "cannot_tell"}};
constexpr std::array test_titles{Word{SignificanceTest::mcnemar, "McNemar's exact test"},
                                 Word{SignificanceTest::resampled_t, "corrected resampled t-test"}};

}  // namespace

std::string_view to_string(MethodVerdict verdict) { return word_of(method_verdict_words, verdict); }

std::optional<MethodVerdict> parse_method_verdict(std::string_view word) {
  return value_of(method_verdict_words, word);
}

std::string_view to_string(SignificanceTest test) { return word_of(test_titles, test); }

void test_by_splits(Comparison& comparison) {
  const auto test_samples = static_cast<double>(comparison.test_samples);
  MethodResult* best = nullptr;
  std::vector<Trial> trials;
  for (MethodResult& result : comparison.methods) {
    if (!result.mean_rank) continue;
    if (best == nullptr) {
      best = &result;
      continue;
    }
    trials.push_back(
        trial_by_splits(*best, result, test_samples,
                        test_samples / static_cast<double>(comparison.selection_samples)));
  }
  if (best != nullptr) set_verdicts(*best, trials);
}

void test_by_answers(Comparison& comparison, const Measured& test, const Run& run) {
  std::map<std::pair<Team, std::vector<double>>, std::vector<std::uint64_t>> known;
  const auto answers = [&](const Choice& choice) -> const std::vector<std::uint64_t>& {
    const auto [place, is_new] = known.try_emplace({choice.team, choice.weights});
    if (is_new) place->second = right_samples(test, choice, run);
    return place->second;
  };
  MethodResult* best = nullptr;
  std::vector<Trial> trials;
  for (MethodResult& result : comparison.methods) {
    const bool has_answers = row_of(result.method).answer != MethodAnswer::expectation;
    if (!result.mean_rank || !has_answers) continue;
    if (best == nullptr) {
      best = &result;
      continue;
    }
    trials.push_back(trial_by_answers(
        result, paired_counts(answers(best->splits.front()), answers(result.splits.front()),
                              test.pool.sample_count)));
  }
  if (best != nullptr) set_verdicts(*best, trials);
}

}  // namespace hqe
