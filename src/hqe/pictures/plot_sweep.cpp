// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/pictures/figures.h"
#include "hqe/pictures/svg.h"

namespace hqe {
namespace {

constexpr int sweep_width = 760;
constexpr int sweep_height = 420;
constexpr std::array<std::string_view, 4> dashes{"", "8 4", "2 3", "8 3 2 3"};

using Points = std::vector<std::pair<double, double>>;

/// One figure against beta, one line a size; lines differ by dashes as well as by place.
void draw_panel(Svg& svg, const std::vector<const SweepRow*>& rows, const std::vector<int>& sizes,
                std::string_view name, std::optional<double> Quality::* figure, double begin,
                double end) {
  const Axis x{.low = 0, .high = 0.4, .begin = begin, .end = end};
  const Axis y{.low = 0, .high = 1, .begin = sweep_height - 62, .end = 84};
  svg.axes(x, "beta: share of each tier that is pruned", true, y, name, true);
  Points ends;
  for (std::size_t place = 0; place < sizes.size(); ++place) {
    Points points;
    for (const SweepRow* row : rows) {
      if (row->size != sizes[place] || !(row->quality.*figure)) continue;
      points.emplace_back(x.at(row->beta), y.at(*(row->quality.*figure)));
    }
    if (points.empty()) continue;
    svg.polyline(points, place % 2 == 0 ? ink::kept : ink::accent, dashes[place % dashes.size()]);
    for (const auto& [across, up] : points) svg.circle(across, up, 2.5, ink::text);
    // Lines that end in one place are named beside each other.
    const auto taken = static_cast<double>(std::ranges::count(ends, points.back()));
    ends.push_back(points.back());
    svg.label(points.back().first + 6 + 12 * taken, points.back().second + 4,
              fmt::format("{}", sizes[place]));
  }
}

}  // namespace

std::string plot_sweep(const Study& study, const std::string& metric) {
  const StudyDetail& detail = required_detail(study, "sweep");
  std::vector<const SweepRow*> rows;
  std::vector<int> sizes;
  for (const SweepRow& row : detail.sweep) {
    if (row.metric != metric) continue;
    rows.push_back(&row);
    if (std::ranges::find(sizes, row.size) == sizes.end()) sizes.push_back(row.size);
  }
  if (rows.empty()) {
    throw UsageError(
        message("the study holds no sweep: it is made for hierarchical pruning of pools with few "
                "enough teams. Use {} for others",
                command("sweep")));
  }
  Svg svg(sweep_width, sweep_height,
          fmt::format("{}: precision and recall against beta", study.pool.name));
  svg.text(24, 28,
           fmt::format("{}: precision and recall of {} against beta", shorten(study.pool.name, 40),
                       metric),
           Anchor::start, 15, ink::text, true);
  svg.text(24, 48,
           "One line a desired size, named at its end. Measured on the samples it chose on.",
           Anchor::start, 12);
  draw_panel(svg, rows, sizes, "precision", &Quality::precision, 84, 360);
  draw_panel(svg, rows, sizes, "recall", &Quality::recall, 460, sweep_width - 24);
  return svg.finish();
}

}  // namespace hqe
