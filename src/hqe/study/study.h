// SPDX-License-Identifier: MIT
/// A study: one run from predictions to verdict, as plain data. A table, the JSON, Python and the
/// report show what is in here; none of them counts votes or scores teams. The intervals, fronts
/// and costs of teams that they add come from statistics and ensemble.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/calibration/serving.h"
#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/team.h"
#include "hqe/ensemble/team_table.h"
#include "hqe/predictions/pool.h"
#include "hqe/serving/early_exit.h"
#include "hqe/study/options.h"
#include "hqe/study/trust.h"

namespace hqe {

/// A pool without its predictions.
struct PoolSummary {
  struct Member {
    std::string name;
    std::uint64_t correct = 0;
    ModelCosts costs;
  };
  std::string name;
  Kind kind = Kind::labels;
  bool kind_detected = false;
  bool has_labels = true;  ///< False: correct counts mean nothing.
  std::uint64_t sample_count = 0;
  int class_count = 0;
  std::vector<Member> models{};
  std::vector<std::string> class_names;
  std::string about, licence, source;
};

/// A team's costs where every member's is known; reduction = 1 - team / entire ensemble.
struct TeamCosts {
  struct Value {
    double sum = 0;
    double reduction = 0;
    std::optional<double> parallel;            ///< latency_ms only: the slowest member.
    std::optional<double> parallel_reduction;  ///< latency_ms only.
  };
  std::array<std::optional<Value>, all_costs.size()> values;
  [[nodiscard]] bool empty() const;
};

/// One team with what is known of it.
struct TeamFigures {
  Team team;
  std::uint64_t correct = 0;
  std::optional<std::uint64_t> test_correct;
  /// Under another merit than accuracy: its value, higher is better.
  std::optional<double> merit{}, test_merit{};
};

/// Spec section 6; nothing where the spec says null.
struct Quality {
  std::uint64_t selected = 0;
  std::optional<std::uint64_t> good;  ///< All good teams that could have been selected.
  std::uint64_t true_positive = 0;    ///< Good and selected.
  std::optional<std::uint64_t> teams_of_size;
  std::optional<double> precision, recall, base_rate;
  std::optional<std::uint64_t> correct_min, correct_max;
  std::optional<double>
      cost_reduction;        ///< (M - S) / M; nothing when sizes differ (mean threshold).
  std::string not_computed;  ///< Why good, recall and base_rate are absent; else empty.
};

struct TierSummary {
  int size = 0;
  std::uint64_t candidates = 0, pruned = 0;
  std::optional<std::uint64_t> cut;
  double beta = 0;
};

/// Correlation of score with accuracy among the scored teams of one size. Nothing where a column is
/// constant or the size has more than max_evaluate scored teams.
struct Correlation {
  int size = 0;
  std::uint64_t teams = 0;
  std::optional<double> spearman, kendall;
};

/// The teams a selection kept, best score first, then team order. Columns of equal length.
struct SelectedTeams {
  TeamTable teams;
  std::vector<double> scores;
  std::vector<int> votes;                   ///< Consensus only, otherwise empty.
  std::vector<std::uint32_t> correct;       ///< A pool has at most 2^31 samples.
  std::vector<std::uint32_t> test_correct;  ///< Empty without a test pool.
  std::vector<double> merit, test_merit;    ///< Empty where merit is accuracy.
  [[nodiscard]] std::size_t size() const { return teams.size(); }
};

/// What the paper calls the consensus, beside the names of metrics.
inline constexpr std::string_view consensus_name = "MAJORITY-F";

/// What one metric, or the consensus of several, selected.
struct Selection {
  std::string metric;               ///< "F-GD", "MAJORITY-F".
  std::vector<TierSummary> tiers;   ///< Hierarchical only.
  std::optional<double> threshold;  ///< Mean threshold only.
  SelectedTeams selected;
  Quality quality;
  std::optional<Quality> test_quality;    ///< On the test pool.
  std::vector<Correlation> correlations;  ///< A size each, of the teams that were scored.
  /// Focal metrics only: of the baseline metric's scores of the same teams, for comparison.
  std::vector<Correlation> baseline_correlations;
};

struct Consensus {
  Selection selection;
  int metrics = 0;           ///< Focal metrics that took part.
  int distinct_metrics = 0;  ///< Different opinions among them: F-KW and F-BD are one.
};

/// What a user would ask beside any selection.
struct Baselines {
  TeamFigures best_single;                  ///< Of all models, eligible or not.
  TeamFigures most_accurate;                ///< The S most accurate models that may be chosen.
  std::optional<TeamFigures> best_of_size;  ///< Of the eligible teams. Nothing above max_evaluate.
  std::string best_of_size_not_computed;
};

/// What a recommendation amounts to.
enum class Shape { team, single, entire };
[[nodiscard]] std::string_view to_string(Shape shape);
[[nodiscard]] Shape shape_of(const Team& team, int model_count);

/// What else one might take.
struct Alternative {
  enum class Role { cheaper, most_accurate };
  Role role = Role::cheaper;
  TeamFigures figures;
  std::string rule;     ///< How it was found: "the best single model".
  double expected = 0;  ///< As of a candidate.
  std::string says;     ///< "as good", "the same team", "0.31 points more, not certain".
};
[[nodiscard]] std::string_view to_string(Alternative::Role role);
[[nodiscard]] std::optional<Alternative::Role> parse_role(std::string_view word);

struct Recommendation {
  TeamFigures figures;
  std::string from;  ///< The rule that found it; by consensus "MAJORITY-F", or the metrics that
                     ///< kept it, joined by ", ".
  std::string why;   ///< One or two sentences.
  std::vector<Alternative> alternatives{};  ///< At most one of each role.
  /// Where the half held back calls what the evidence chose worse than a baseline, that baseline is
  /// recommended: this one.
  std::optional<JudgedRule> better_baseline{};
  /// Nothing where the vote gives classes no shares.
  std::optional<Serving> serving{};
  /// Nothing in studies of older versions.
  std::optional<EarlyExit> early_exit{};
};

/// What one rule would have recommended, and what that is worth by the evidence of the selection
/// samples alone: chosen on halves of them, judged on the other halves.
struct CandidateFigures {
  std::string rule;     ///< "the best team of at most 5".
  Team team;            ///< As chosen on all selection samples.
  double worth = 0;     ///< Accuracy there, or the merit that was asked for.
  double expected = 0;  ///< On other samples.
  /// Expected to be so much better than the most accurate models of the desired size ...
  double ahead = 0;
  double standard_error = 0;  ///< ... and how sure that is.
};

/// Error correlation and robustness of one team (spec section 6).
struct TeamErrors {
  std::optional<double> error_correlation;            ///< delta of failure indicators.
  std::optional<double> posterior_error_correlation;  ///< delta of 1 - p(y).
  std::optional<double> added_error_ratio;            ///< (1 + (S-1) delta) / S.
};

struct Robustness {
  double median_radius = 0;  ///< Over the samples that the team gets right.
  struct Certified {
    double radius = 0;
    double share = 0;
  };
  std::vector<Certified> certified;  ///< Share of all samples certified at that radius.
  bool estimated = false;            ///< From estimated bounds: then nothing is proven.
};

/// How good the selection of one setting of a sweep is.
struct SweepRow {
  int size = 0;
  double beta = 0;
  std::string metric;
  Quality quality;
};

/// Up to here a report shows the co-failures of three models.
inline constexpr int most_models_for_focal_table = 64;

/// What a report needs beyond the answer.
struct StudyDetail {
  enum class Fate : std::uint8_t { kept, pruned };
  /// One a metric; a focal metric is followed by its baseline on the same teams, unless that
  /// metric pruned too. Of a size with more than max_evaluate candidates only the kept are listed.
  struct ScoredTeams {
    std::string metric;
    TeamTable teams;  ///< In size, then team order.
    std::vector<double> scores;
    std::vector<Fate> fates;  ///< Empty for metrics that did not prune.
    std::vector<std::uint64_t> correct, test_correct;
  };
  std::vector<ScoredTeams> scored;
  std::vector<std::uint64_t> co_failures;        ///< a_ij, M x M.
  std::vector<std::uint64_t> focal_co_failures;  ///< t_fij, M x M x M; empty above 64 models.
  struct DecidingSample {
    std::uint64_t sample = 0;
    std::int32_t truth = 0, answer = 0;  ///< answer -1: none.
    bool repaired = false;               ///< Some member wrong, team right; else broken.
    struct Opinion {
      ModelId model = 0;
      std::vector<std::int32_t> classes;  ///< Top 3, or the label alone.
      std::vector<double> confidences;    ///< Empty where probabilities are unknown.
    };
    std::vector<Opinion> members;
  };
  std::uint64_t repaired_count = 0, broken_count = 0;
  /// Sizes around the desired one by betas from 0.05 to 0.35; empty where that would take longer
  /// than the study itself.
  std::vector<SweepRow> sweep;
  std::vector<DecidingSample> deciding_samples;  ///< For the recommended team, a few of each.
};

struct TestSummary {
  PoolSummary pool;  ///< models in the order of the selection pool.
  std::uint64_t reference_correct = 0;
};

struct Study {
  PoolSummary pool;
  PruneOptions options;         ///< As asked.
  Vote vote = Vote::plurality;  ///< As settled.
  std::vector<double> weights;  ///< One a model where the vote is weighted; else empty.
  int desired_size = 0;         ///< As settled.
  std::vector<Metric> metrics;  ///< As settled.
  TeamFigures reference;        ///< The entire ensemble.
  std::vector<Selection> selections;
  std::optional<Consensus> consensus;  ///< With two or more focal metrics.
  Baselines baselines;
  std::vector<CandidateFigures> evidence;  ///< Empty where the consensus chose.
  std::optional<Recommendation> recommended;
  std::optional<TeamErrors> recommended_errors;
  std::optional<Robustness> recommended_robustness;
  std::vector<Message> warnings;  ///< Where nothing was selected, the last one says why.
  std::optional<TestSummary> test;
  Trust trust;
  std::optional<StudyDetail> detail;

  /// True when no selection kept a team (the command exits with 4).
  [[nodiscard]] bool empty() const;
};

/// "all 14 models", or the names of the team's members: "a, b".
[[nodiscard]] std::string names_of(const PoolSummary& pool, const Team& team);

/// The costs that every model of the pool has.
[[nodiscard]] std::vector<Cost> known_costs(const PoolSummary& pool);

/// The costs of a team in this study's pool.
[[nodiscard]] TeamCosts team_costs(const PoolSummary& pool, TeamView team);

}  // namespace hqe
