// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "hqe/pictures/plot.h"
#include "hqe/pictures/svg.h"
#include "hqe/report/display.h"
#include "hqe/report/page.h"
#include "hqe/serving/cascade.h"
#include "hqe/serving/early_exit.h"
#include "hqe/statistics/intervals.h"

namespace hqe {
namespace {

constexpr int cascade_width = 760;
constexpr int cascade_height = 460;
constexpr double left_edge = 84, right_edge = cascade_width - 30;

/// A rule on the samples that judge it.
struct Mark {
  std::string rule;
  double cost = 0;
  double accuracy = 0;
  Interval interval;
};

Mark mark_of(const CascadeRow& row) {
  const CascadeRun& run = row.held_out ? *row.held_out : row.selection;
  return {.rule = to_string(row.stop),
          .cost = run.expected_cost,
          .accuracy = static_cast<double>(run.correct) / static_cast<double>(run.samples),
          .interval = wilson_interval(run.correct, run.samples)};
}

std::string caption_of(const CascadeFront& front) {
  const std::string_view where = !front.judged_by                     ? "on the samples that chose"
                                 : front.judged_by == ExitJudge::test ? "on the test pool"
                                                                      : "on samples held out";
  return fmt::format(
      "Each mark is a rule by which members stop, {}. Only the exact exit (ring) is exact.", where);
}

/// Below its mark, unless it would stand on a name that is there already.
void name_marks(Svg& svg, const std::vector<Mark>& marks, const Axis& x, const Axis& y) {
  constexpr double letter = 6.4, line = 15;
  std::vector<std::array<double, 3>> taken;
  for (const Mark& mark : marks) {
    const bool is_exact = &mark == &marks.front();
    const double room = letter * static_cast<double>(mark.rule.size());
    const double at = x.at(mark.cost);
    const bool near_edge = at + 9 + room > right_edge;
    const double from = near_edge ? at - 9 - room : at + 9;
    const double base = y.at(mark.accuracy) + (is_exact ? -9 : 17);
    const bool touches = std::ranges::any_of(taken, [&](const auto& other) {
      return from < other[1] && from + room > other[0] && std::abs(base - other[2]) < line;
    });
    if (touches || from < left_edge) continue;
    taken.push_back({from, from + room, base});
    svg.label(near_edge ? at - 9 : at + 9, base, mark.rule, near_edge ? Anchor::end : Anchor::start,
              is_exact ? ink::accent : ink::text, is_exact);
  }
}

}  // namespace

std::string plot_cascades(const Cascading& cascading) {
  const CascadeFront& front = cascading.front;
  std::vector<Mark> marks;
  for (const CascadeRow& row : front.rows) marks.push_back(mark_of(row));
  const auto [cheap, dear] = std::ranges::minmax(marks, {}, &Mark::cost);
  const double low =
      std::ranges::min(marks, {}, [](const Mark& mark) { return mark.interval.low; }).interval.low;
  const double high = std::ranges::max(marks, {}, [](const Mark& mark) {
                        return mark.interval.high;
                      }).interval.high;
  const Axis x = Axis::around(cheap.cost, dear.cost, left_edge, right_edge);
  const Axis y = Axis::around(low, high, cascade_height - 62, 70);
  const std::string title = fmt::format("{}: accuracy against expected cost of cascades",
                                        shorten(cascading.pool.name, 50));
  Svg svg(cascade_width, cascade_height, title);
  svg.text(24, 28, title, Anchor::start, 15, ink::text, true);
  svg.text(24, 48, caption_of(front), Anchor::start, 12);
  const std::string cost = front.cost ? cost_title(*front.cost) : std::string("models");
  const std::string_view unit = front.cost == Cost::latency_ms ? ", ms" : "";
  svg.axes(x, fmt::format("expected {} of one sample{}", cost, unit), false, y, "accuracy", true);
  const double full = y.at(marks.front().accuracy);
  svg.line(x.begin, full, x.end, full, ink::accent, "5 4");
  std::vector<std::pair<double, double>> along;
  for (const Mark& mark : marks) {
    const double at = x.at(mark.cost);
    svg.line(at, y.at(mark.interval.low), at, y.at(mark.interval.high), ink::faint);
    along.emplace_back(at, y.at(mark.accuracy));
  }
  svg.polyline(along, ink::kept);
  for (std::size_t i = 1; i < along.size(); ++i) {
    svg.square(along[i].first, along[i].second, 3.2, ink::kept);
  }
  svg.circle(along.front().first, along.front().second, 7, ink::paper, 1, ink::accent);
  name_marks(svg, marks, x, y);
  return svg.finish();
}

}  // namespace hqe
