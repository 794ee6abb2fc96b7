// SPDX-License-Identifier: MIT
/// The names of the diversity metrics; higher always means more diverse.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace hqe {

enum class Metric { ck, bd, kw, gd, f_ck, f_bd, f_kw, f_gd, qs, cor, df, fk, ent, diff, cfd };

/// What a score is computed from, beyond how often models fail alone and in pairs.
enum class MetricNeeds { pairs, triples, agreements, failure_bits };

/// All that is known of a metric beside its formula (baseline.cpp, formulas.h) and its definition
/// (docs/metrics.md, tests/reference/diversity.cpp).
struct MetricRow {
  Metric metric;
  std::string_view name;   ///< "F-GD".
  std::string_view title;  ///< In words.
  Metric baseline;         ///< Itself, unless it is the focal form of another.
  bool prunes;             ///< Teams may be pruned by it; else it is for `score` alone.
  MetricNeeds needs;
};

inline constexpr std::array metric_rows{
    MetricRow{Metric::ck, "CK", "Cohen's kappa", Metric::ck, true, MetricNeeds::pairs},
    MetricRow{Metric::bd, "BD", "binary disagreement", Metric::bd, true, MetricNeeds::pairs},
    MetricRow{Metric::kw, "KW", "Kohavi-Wolpert variance", Metric::kw, true, MetricNeeds::pairs},
    MetricRow{Metric::gd, "GD", "generalized diversity", Metric::gd, true, MetricNeeds::pairs},
    MetricRow{Metric::f_ck, "F-CK", "focal Cohen's kappa", Metric::ck, true,
              MetricNeeds::agreements},
    MetricRow{Metric::f_bd, "F-BD", "focal binary disagreement", Metric::bd, true,
              MetricNeeds::triples},
    MetricRow{Metric::f_kw, "F-KW", "focal Kohavi-Wolpert variance", Metric::kw, true,
              MetricNeeds::triples},
    MetricRow{Metric::f_gd, "F-GD", "focal generalized diversity", Metric::gd, true,
              MetricNeeds::triples},
    MetricRow{Metric::qs, "QS", "Q statistic", Metric::qs, false, MetricNeeds::pairs},
    MetricRow{Metric::cor, "COR", "correlation of failures", Metric::cor, false,
              MetricNeeds::pairs},
    MetricRow{Metric::df, "DF", "double fault", Metric::df, false, MetricNeeds::pairs},
    MetricRow{Metric::fk, "FK", "Fleiss' kappa", Metric::fk, false, MetricNeeds::pairs},
    MetricRow{Metric::ent, "ENT", "entropy", Metric::ent, false, MetricNeeds::failure_bits},
    MetricRow{Metric::diff, "DIFF", "difficulty", Metric::diff, false, MetricNeeds::pairs},
    MetricRow{Metric::cfd, "CFD", "coincident failure diversity", Metric::cfd, false,
              MetricNeeds::failure_bits}};

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

inline constexpr std::array focal_metrics{Metric::f_ck, Metric::f_bd, Metric::f_kw, Metric::f_gd};

/// "F-GD".
[[nodiscard]] std::string_view to_string(Metric metric);
/// Any case; nothing for an unknown name.
[[nodiscard]] std::optional<Metric> parse_metric(std::string_view name);
/// F-CK, F-BD, F-KW, F-GD.
[[nodiscard]] bool is_focal(Metric metric);
/// CK of F-CK and so on; a baseline metric is its own.
[[nodiscard]] Metric baseline_of(Metric metric);
/// True for the eight metrics that teams may be pruned by.
[[nodiscard]] bool can_prune(Metric metric);
/// Those eight.
[[nodiscard]] std::vector<Metric> pruning_metrics();

}  // namespace hqe
