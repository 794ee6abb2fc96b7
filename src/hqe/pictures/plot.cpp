// SPDX-License-Identifier: MIT
#include "hqe/pictures/plot.h"

#include <fmt/core.h>

#include <algorithm>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/base/words.h"
#include "hqe/diversity/metric.h"
#include "hqe/pictures/figures.h"

namespace hqe {
namespace {

constexpr std::array figure_words{
    Word{Figure::scatter, "scatter"},     Word{Figure::tiers, "tiers"},
    Word{Figure::cofailure, "cofailure"}, Word{Figure::sweep, "sweep"},
    Word{Figure::pareto, "pareto"},       Word{Figure::exit, "exit"}};
static_assert(have_words(all_figures, figure_words));

std::string metric_to_draw(const Study& study, const PlotOptions& options) {
  std::string names;
  for (const Selection& selection : study.selections) {
    if (selection.metric == options.metric) return selection.metric;
    names += (names.empty() ? "" : ", ") + selection.metric;
  }
  if (!options.metric.empty()) {
    throw UsageError(fmt::format("the study has no metric '{}'. It has {}", options.metric, names));
  }
  for (const Selection& selection : study.selections) {
    if (selection.metric == to_string(Metric::f_gd)) return selection.metric;
  }
  return study.selections.empty() ? std::string() : study.selections.front().metric;
}

}  // namespace

std::string_view to_string(Figure figure) { return word_of(figure_words, figure); }

std::optional<Figure> parse_figure(std::string_view word) { return value_of(figure_words, word); }

double accuracy_floor(std::vector<double> accuracies) {
  const auto [worst, best] = std::ranges::minmax(accuracies);
  constexpr std::size_t enough = 200;
  constexpr std::size_t one_in = 200;
  if (accuracies.size() < enough) return worst;
  const auto most = accuracies.begin() + static_cast<std::ptrdiff_t>(accuracies.size() / one_in);
  std::ranges::nth_element(accuracies, most);
  return best - *most < (best - worst) / 2 ? *most : worst;
}

const StudyDetail& required_detail(const Study& study, std::string_view figure) {
  if (study.detail) return *study.detail;
  throw UsageError(message("the study was saved without what the {} figure shows. Make it with {}",
                           figure, saved_by("prune")));
}

std::string plot(const Study& study, Figure figure, const PlotOptions& options) {
  const std::string metric = metric_to_draw(study, options);
  switch (figure) {
    case Figure::scatter:
      return plot_scatter(study, metric);
    case Figure::tiers:
      return plot_tiers(study, metric);
    case Figure::cofailure:
      return plot_cofailure(study);
    case Figure::sweep:
      return plot_sweep(study, metric);
    case Figure::pareto:
      return plot_pareto(study);
    case Figure::exit:
      return plot_exit(study);
  }
  return {};
}

}  // namespace hqe
