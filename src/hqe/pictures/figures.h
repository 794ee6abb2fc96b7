// SPDX-License-Identifier: MIT
/// One function a figure; plot() chooses. Implemented in plot.cpp, plot_scatter.cpp,
/// plot_tiers.cpp, plot_cofailure.cpp, plot_sweep.cpp, plot_pareto.cpp and plot_exit.cpp.

#pragma once

#include <string>

#include "hqe/pictures/plot.h"
#include "hqe/report/display.h"
#include "hqe/study/study.h"

namespace hqe {

[[nodiscard]] std::string plot_scatter(const Study& study, const std::string& metric);
[[nodiscard]] std::string plot_tiers(const Study& study, const std::string& metric);
[[nodiscard]] std::string plot_cofailure(const Study& study);
[[nodiscard]] std::string plot_sweep(const Study& study, const std::string& metric);
[[nodiscard]] std::string plot_pareto(const Study& study);
[[nodiscard]] std::string plot_exit(const Study& study);

/// Every team with a known correct count, each once, in the order of the study's metrics.
struct PlottedTeam {
  TeamView team;
  double accuracy = 0;
};
[[nodiscard]] std::vector<PlottedTeam> plotted_teams(const Study& study);

/// Where an axis of accuracies begins: at the lowest one, unless a handful of hopeless teams would
/// squash all others into the upper half. Those are then drawn on the edge.
[[nodiscard]] double accuracy_floor(std::vector<double> accuracies);

/// Throws the UsageError for a study that was saved without detail.
[[nodiscard]] const StudyDetail& required_detail(const Study& study, std::string_view figure);

}  // namespace hqe
