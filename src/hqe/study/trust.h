// SPDX-License-Identifier: MIT
/// How far a choice can be trusted: what it is worth on samples that took no part in it, how sure
/// that is, how stable the choice is, and whether pruning threw away what it should have kept.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/ensemble/team.h"
#include "hqe/statistics/intervals.h"

namespace hqe {

/// The rules whose choices are held against each other.
enum class JudgedRule { recommended, entire_ensemble, best_single, most_accurate };

struct JudgedRuleRow {
  JudgedRule rule;
  std::string_view name;   ///< In documents.
  std::string_view title;  ///< In sentences; {} stands for the members of its team.
  std::string_view label;  ///< In tables.
};

inline constexpr std::array judged_rule_rows{
    JudgedRuleRow{JudgedRule::recommended, "recommended", "the recommended team", "recommended"},
    JudgedRuleRow{JudgedRule::entire_ensemble, "entire_ensemble", "the entire ensemble",
                  "entire ensemble"},
    JudgedRuleRow{JudgedRule::best_single, "best_single", "the best single model",
                  "best single model"},
    JudgedRuleRow{JudgedRule::most_accurate, "most_accurate", "the {} most accurate models",
                  "the {} most accurate"}};

static_assert(
    [] {
      for (std::size_t i = 0; i < judged_rule_rows.size(); ++i) {
        if (static_cast<std::size_t>(judged_rule_rows[i].rule) != i) return false;
      }
      return true;
    }(),
    "the rows stand in the order of the rules");

[[nodiscard]] std::string_view to_string(JudgedRule rule);
[[nodiscard]] std::optional<JudgedRule> parse_judged_rule(std::string_view name);

/// "the entire ensemble", "the best single model", "the 5 most accurate models".
[[nodiscard]] std::string title_of(JudgedRule rule, int size);
/// "entire ensemble", "best single model", "the 5 most accurate".
[[nodiscard]] std::string label_of(JudgedRule rule, int size);

/// Which samples took no part in the choice.
enum class HeldOut { nothing, half, share, folds, test };
[[nodiscard]] std::string_view to_string(HeldOut held_out);
[[nodiscard]] std::optional<HeldOut> parse_held_out(std::string_view word);

struct AccuracyFigures {
  std::uint64_t correct = 0, samples = 0;
  Interval interval;  ///< Wilson's, at the confidence level.
  [[nodiscard]] double accuracy() const {
    return static_cast<double>(correct) / static_cast<double>(samples);
  }
};

/// A team on the samples it was chosen on and on others. With folds these others are all samples,
/// each judged by what the same rule chose without it; with a half they are that half, judged by
/// what the same rule chose on the other half.
struct SideBySide {
  JudgedRule rule = JudgedRule::recommended;
  Team team;  ///< As chosen on the selection pool.
  AccuracyFigures selection;
  std::optional<AccuracyFigures> held_out;

  /// Accuracy on the selection pool minus accuracy on held-out samples.
  [[nodiscard]] std::optional<double> optimism() const;
};

struct PairedFigures {
  PairedCounts counts;  ///< First: the recommended team; second: the baseline.
  Interval interval;    ///< Paired bootstrap, at the confidence level.
  double p_value = 1;   ///< Exact McNemar.
};

/// What the recommended team has more of another merit than accuracy.
struct MeritFigures {
  double difference = 0;  ///< Mean over the samples; above 0: the recommended team is better.
  double deviation = 0;   ///< Standard deviation of one sample's difference.
  Interval interval;      ///< Of the mean, at the confidence level.
};

/// The recommended team against one baseline.
struct BaselineComparison {
  JudgedRule against = JudgedRule::entire_ensemble;
  Team team;
  PairedFigures selection;
  /// Of the difference on the selection pool, corrected for the choice among many teams.
  Interval corrected;
  std::optional<PairedFigures> held_out;
  /// Under another merit than accuracy: its difference on the samples that the verdict rests on,
  /// the interval corrected where these are the ones chosen on. The verdict goes by it alone.
  std::optional<MeritFigures> merit{};
  /// On the held-out samples; without any by the corrected interval.
  Verdict verdict = Verdict::cannot_tell;
  std::uint64_t samples = 0;                    ///< That the verdict rests on.
  std::optional<std::uint64_t> samples_needed;  ///< Where one cannot tell.
  std::string says;                             ///< The verdict in words.

  /// What the verdict rests on: a difference of accuracies, or of the merit that was asked for.
  [[nodiscard]] double difference() const;
  [[nodiscard]] const Interval& interval() const;
};

/// The accuracy of the recommended team on the samples it was chosen on, corrected for the choice.
struct ChosenInterval {
  Interval interval;
  double quantile = 0;      ///< Standard errors that hold for all teams at once.
  std::uint64_t among = 0;  ///< Teams that the correction looked at ...
  std::uint64_t kept = 0;   ///< ... of those that it was chosen from.
  int resamples = 0;
};

/// One fold: chosen on the others, judged on this one.
struct FoldFigures {
  Team team;
  AccuracyFigures selection, held_out;
};

struct Stability {
  int resamples = 0;
  int without_team = 0;         ///< Resamples in which nothing was selected.
  double same_team = 0;         ///< Share of the resamples with the recommended team.
  std::vector<double> members;  ///< By model: share of the resamples whose team has it.
  struct Kept {
    std::string metric;
    double jaccard = 0;  ///< Mean index of the sets kept in a resample and in the study.
  };
  std::vector<Kept> kept;
  struct Frequency {
    Team team;
    int times = 0;
  };
  std::vector<Frequency> teams;  ///< The most frequent, ties in team order.
  Message not_measured;          ///< Why there is nothing here; else empty.
};

/// Whether the idea behind hierarchical pruning held for one metric: that no team worth having
/// contains one that was pruned.
struct PruningCheck {
  struct Tier {
    int size = 0;
    std::uint64_t pruned = 0;
    /// Of these, with a superset that ranks in the upper half of its size, up to the desired one.
    std::uint64_t violated = 0;
  };
  std::string metric;
  std::vector<Tier> tiers;  ///< Sizes below the desired one.
  std::uint64_t cut = 0;    ///< Teams of the desired size that contain a pruned team.
  std::uint64_t cut_in_upper_half = 0;
  struct Best {
    Team team;
    std::uint64_t correct = 0;
    std::optional<std::uint64_t> test_correct;
  };
  std::optional<Best> best_kept, best_thrown_away;
  std::string not_measured;  ///< Why there is nothing here; else empty.
};

struct Trust {
  HeldOut held_out = HeldOut::nothing;
  /// Judged on a half: what the rule chose on the other half, from which these figures come.
  std::optional<FoldFigures> half;
  std::vector<SideBySide> teams;                ///< The recommended one first.
  std::vector<BaselineComparison> comparisons;  ///< None where nothing is recommended.
  std::optional<ChosenInterval> chosen;
  std::vector<FoldFigures> folds;
  std::optional<Stability> stability;
  std::vector<PruningCheck> pruning;  ///< One a metric; hierarchical only.
  Message says;                       ///< What was held out, and what that means.
};

}  // namespace hqe
