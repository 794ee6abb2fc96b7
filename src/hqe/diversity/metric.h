// SPDX-License-Identifier: MIT
/// The names of the diversity metrics; higher always means more diverse.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

class Counts;
class FailureBits;
struct Run;

enum class Metric { ck, bd, kw, gd, f_ck, f_bd, f_kw, f_gd, qs, cor, df, fk, ent, diff, cfd };

/// What a score is computed from, beyond how often models fail alone and in pairs.
enum class MetricNeeds { pairs, triples, agreements, failure_bits };

/// Scores one team on all samples.
using TeamScore = std::function<double(TeamView)>;
/// A metric on all samples of a pool, made ready for a list of teams; of a focal metric, what it is
/// the focal form of. FailureBits only where the metric needs them. Defined in baseline.cpp.
using BaselineFormula = TeamScore(const Counts&, const FailureBits*, const TeamList&, const Run&);
namespace baseline {
BaselineFormula kappa, disagreement, variance, generalized, q_statistic, correlation, double_fault,
    fleiss_kappa, entropy, difficulty, coincident_failures;
}  // namespace baseline

/// All that is known of a metric beside its definition in docs/metrics.md and, transcribed, in
/// tests/reference/diversity.cpp.
struct MetricRow {
  Metric metric;
  std::string_view name;   ///< "F-GD".
  std::string_view title;  ///< In words.
  Metric baseline;         ///< Itself, unless it is the focal form of another.
  bool prunes;             ///< Teams may be pruned by it; else it is for `score` alone.
  MetricNeeds needs;
  BaselineFormula* formula;
  std::string_view reference;
  /// Of a focal metric, an earlier one that orders teams of one size identically: in a consensus
  /// the two are one opinion.
  std::optional<Metric> same_order = std::nullopt;
};

inline constexpr std::array metric_rows{
    MetricRow{Metric::ck, "CK", "Cohen's kappa", Metric::ck, true, MetricNeeds::pairs,
              baseline::kappa, "Cohen 1960"},
    MetricRow{Metric::bd, "BD", "binary disagreement", Metric::bd, true, MetricNeeds::pairs,
              baseline::disagreement, "Skalak 1996"},
    MetricRow{Metric::kw, "KW", "Kohavi-Wolpert variance", Metric::kw, true, MetricNeeds::pairs,
              baseline::variance, "Kohavi and Wolpert 1996"},
    MetricRow{Metric::gd, "GD", "generalized diversity", Metric::gd, true, MetricNeeds::pairs,
              baseline::generalized, "Partridge and Krzanowski 1997"},
    MetricRow{Metric::f_ck, "F-CK", "focal Cohen's kappa", Metric::ck, true,
              MetricNeeds::agreements, baseline::kappa, "Wu et al. 2023"},
    MetricRow{Metric::f_bd, "F-BD", "focal binary disagreement", Metric::bd, true,
              MetricNeeds::triples, baseline::disagreement, "Wu et al. 2023"},
    MetricRow{Metric::f_kw, "F-KW", "focal Kohavi-Wolpert variance", Metric::kw, true,
              MetricNeeds::triples, baseline::variance, "Wu et al. 2023", Metric::f_bd},
    MetricRow{Metric::f_gd, "F-GD", "focal generalized diversity", Metric::gd, true,
              MetricNeeds::triples, baseline::generalized, "Wu et al. 2023"},
    MetricRow{Metric::qs, "QS", "Q statistic", Metric::qs, false, MetricNeeds::pairs,
              baseline::q_statistic, "Yule 1900"},
    MetricRow{Metric::cor, "COR", "correlation of failures", Metric::cor, false, MetricNeeds::pairs,
              baseline::correlation, "Sneath and Sokal 1973"},
    MetricRow{Metric::df, "DF", "double fault", Metric::df, false, MetricNeeds::pairs,
              baseline::double_fault, "Giacinto and Roli 2001"},
    MetricRow{Metric::fk, "FK", "Fleiss' kappa", Metric::fk, false, MetricNeeds::pairs,
              baseline::fleiss_kappa, "Fleiss 1981"},
    MetricRow{Metric::ent, "ENT", "entropy", Metric::ent, false, MetricNeeds::failure_bits,
              baseline::entropy, "Cunningham and Carney 2000"},
    MetricRow{Metric::diff, "DIFF", "difficulty", Metric::diff, false, MetricNeeds::pairs,
              baseline::difficulty, "Hansen and Salamon 1990"},
    MetricRow{Metric::cfd, "CFD", "coincident failure diversity", Metric::cfd, false,
              MetricNeeds::failure_bits, baseline::coincident_failures,
              "Partridge and Krzanowski 1997"}};

static_assert(
    [] {
      for (std::size_t i = 0; i < metric_rows.size(); ++i) {
        if (static_cast<std::size_t>(metric_rows[i].metric) != i) return false;
      }
      return true;
    }(),
    "the rows stand in the order of the metrics");

/// Throws std::out_of_range for a metric that was given no row.
[[nodiscard]] constexpr const MetricRow& row_of(Metric metric) {
  return metric_rows.at(static_cast<std::size_t>(metric));
}

inline constexpr std::array all_metrics = [] {
  std::array<Metric, metric_rows.size()> metrics{};
  for (std::size_t i = 0; i < metrics.size(); ++i) metrics[i] = metric_rows[i].metric;
  return metrics;
}();

/// CK of F-CK and so on; a baseline metric is its own.
[[nodiscard]] constexpr Metric baseline_of(Metric metric) { return row_of(metric).baseline; }
/// F-CK, F-BD, F-KW, F-GD.
[[nodiscard]] constexpr bool is_focal(Metric metric) { return baseline_of(metric) != metric; }
/// Whether teams may be pruned by it.
[[nodiscard]] constexpr bool can_prune(Metric metric) { return row_of(metric).prunes; }

/// What prunes where nothing else is asked for.
inline constexpr std::array focal_metrics = [] {
  std::array<Metric, std::ranges::count_if(all_metrics, is_focal)> metrics{};
  std::ranges::copy_if(all_metrics, metrics.begin(), is_focal);
  return metrics;
}();

/// "F-GD".
[[nodiscard]] std::string_view to_string(Metric metric);
/// Any case; nothing for an unknown name.
[[nodiscard]] std::optional<Metric> parse_metric(std::string_view name);
/// Those that teams may be pruned by.
[[nodiscard]] std::vector<Metric> pruning_metrics();
/// Pairs of these that are one opinion, the earlier row first.
[[nodiscard]] std::vector<std::pair<Metric, Metric>> repeated_opinions(
    std::span<const Metric> metrics);

}  // namespace hqe
