// SPDX-License-Identifier: MIT
/// Static figures of a study, of cascades (plot_cascade.cpp) and of a comparison (plot_ranks.cpp),
/// for papers and READMEs.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "hqe/methods/compare.h"
#include "hqe/study/study.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

enum class Figure { scatter, tiers, cofailure, sweep, pareto, exit };

inline constexpr std::array all_figures{Figure::scatter, Figure::tiers,  Figure::cofailure,
                                        Figure::sweep,   Figure::pareto, Figure::exit};

[[nodiscard]] std::string_view to_string(Figure figure);
[[nodiscard]] std::optional<Figure> parse_figure(std::string_view word);

struct PlotOptions {
  /// The metric to draw. Empty: F-GD where the study has it, otherwise its first metric.
  std::string metric;
};

/// One figure as an SVG document. Its bytes depend on the study alone.
/// Throws UsageError where the study lacks what the figure shows, naming the command that makes it.
[[nodiscard]] std::string plot(const Study& study, Figure figure, const PlotOptions& options = {});

/// A team's cascades, accuracy against expected cost, on the samples that judge them. Its bytes
/// depend on the cascades alone. Requires: the exact exit.
[[nodiscard]] std::string plot_cascades(const Cascading& cascading);

/// Mean ranks of a comparison's methods, critical-difference style, as an SVG document. Its bytes
/// depend on the ranks alone. Throws UsageError for fewer than two ranked methods.
[[nodiscard]] std::string plot_ranks(const RankSummary& ranks);

}  // namespace hqe
