// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "hqe/ensemble/pareto_front.h"
#include "hqe/pictures/figures.h"
#include "hqe/pictures/svg.h"
#include "hqe/report/page.h"

namespace hqe {
namespace {

constexpr int pareto_width = 760;
constexpr int pareto_height = 500;

struct Point {
  std::string team;
  double cost = 0;
  double accuracy = 0;
};

/// The first cost that every model has, or nothing: then size is the cost. A logarithmic axis has
/// no place for 0, nor for more than numbers hold.
std::optional<Cost> first_known_cost(const PoolSummary& pool) {
  const Team entire = Team::all(static_cast<int>(pool.models.size()));
  for (const Cost cost : known_costs(pool)) {
    const TeamPrices prices = team_prices(pool.models, cost);
    const double least = std::ranges::min(prices.of_models());
    const double widest = 2 * prices.of(entire.view()) / least;
    if (least > 0 && std::isfinite(widest)) return cost;
  }
  return std::nullopt;
}

std::vector<Point> front_of(const std::vector<Point>& points) {
  ParetoFront<double, const Point*> offered;
  for (const Point& point : points) {
    offered.offer(point.cost, point.accuracy, [&] { return &point; });
  }
  std::vector<Point> front;
  for (const auto& point : offered.points()) front.push_back(*point.item);
  return front;
}

/// Single models, scored teams and, last, the entire ensemble.
std::vector<Point> pareto_points(const Study& study, const TeamPrices& prices) {
  const auto samples = static_cast<double>(study.pool.sample_count);
  std::vector<Point> points;
  for (std::size_t i = 0; i < study.pool.models.size(); ++i) {
    const std::vector<ModelId> alone{static_cast<ModelId>(i)};
    points.push_back({to_string(alone), prices.of(alone),
                      static_cast<double>(study.pool.models[i].correct) / samples});
  }
  for (const PlottedTeam& one : plotted_teams(study)) {
    points.push_back({to_string(one.team), prices.of(one.team), one.accuracy});
  }
  points.push_back({"all", prices.of(study.reference.team.view()),
                    static_cast<double>(study.reference.correct) / samples});
  return points;
}

Axis cost_axis(const std::vector<Point>& points, bool is_known_cost) {
  const auto [cheap, dear] = std::ranges::minmax(points, {}, &Point::cost);
  if (!is_known_cost) return Axis::around(cheap.cost, dear.cost, 84, pareto_width - 30);
  return {.low = cheap.cost * 0.9,
          .high = dear.cost * 1.1,
          .begin = 84,
          .end = pareto_width - 30,
          .logarithmic = true};
}

/// As stairs, with the names of teams that have room.
void draw_front(Svg& svg, const Axis& x, const Axis& y, const std::vector<Point>& front) {
  std::vector<std::pair<double, double>> stairs;
  for (const Point& point : front) {
    if (!stairs.empty()) stairs.emplace_back(x.at(point.cost), stairs.back().second);
    stairs.emplace_back(x.at(point.cost), y.at(point.accuracy));
  }
  stairs.emplace_back(x.end, stairs.back().second);
  svg.polyline(stairs, ink::kept);
  for (const Point& point : front) {
    svg.square(x.at(point.cost), y.at(point.accuracy), 3.2, ink::kept);
  }
  double last_label = -1e9;
  for (const Point& point : front) {
    if (y.at(point.accuracy) > last_label - 14 && last_label > 0) continue;
    last_label = y.at(point.accuracy);
    const bool near_edge = x.at(point.cost) > x.end - 110;
    svg.label(x.at(point.cost) + (near_edge ? -8 : 8), last_label - 6, shorten(point.team, 20),
              near_edge ? Anchor::end : Anchor::start);
  }
}

}  // namespace

std::vector<PlottedTeam> plotted_teams(const Study& study) {
  const auto samples = static_cast<double>(study.pool.sample_count);
  std::map<std::vector<ModelId>, double> seen;
  std::vector<PlottedTeam> teams;
  for (const auto& scored : study.detail->scored) {
    for (std::size_t i = 0; i < scored.correct.size(); ++i) {
      const TeamView team = scored.teams[i];
      const double accuracy = static_cast<double>(scored.correct[i]) / samples;
      if (seen.emplace(std::vector<ModelId>(team.begin(), team.end()), accuracy).second) {
        teams.push_back({team, accuracy});
      }
    }
  }
  return teams;
}

std::string plot_pareto(const Study& study) {
  static_cast<void>(required_detail(study, "pareto"));
  const std::optional<Cost> cost = first_known_cost(study.pool);
  const std::vector<Point> points = pareto_points(study, team_prices(study.pool.models, cost));
  const Point& entire = points.back();
  std::vector<double> accuracies;
  for (const Point& point : points) accuracies.push_back(point.accuracy);
  const Axis x = cost_axis(points, cost.has_value());
  const Axis y = Axis::around(accuracy_floor(accuracies), std::ranges::max(accuracies),
                              pareto_height - 62, 64);

  Svg svg(pareto_width, pareto_height, fmt::format("{}: accuracy against cost", study.pool.name));
  svg.text(84, 26, fmt::format("{}: accuracy against cost", shorten(study.pool.name, 60)),
           Anchor::start, 15, ink::text, true);
  svg.text(84, 45,
           "Grey: single models and scored teams. Orange line: nothing cheaper is as accurate.",
           Anchor::start, 12);
  svg.axes(x, cost ? cost_title(*cost) : std::string("models in the team"), false, y, "accuracy",
           true);
  const std::size_t step = 1 + points.size() / 20'000;
  for (std::size_t i = 0; i < points.size(); i += step) {
    svg.circle(x.at(points[i].cost), std::min(y.begin, y.at(points[i].accuracy)), 2, ink::pruned,
               0.5);
  }
  draw_front(svg, x, y, front_of(points));
  svg.circle(x.at(entire.cost), y.at(entire.accuracy), 7, "none", 1, ink::accent);
  svg.label(x.at(entire.cost), y.at(entire.accuracy) + 24, "entire ensemble", Anchor::end,
            ink::accent, true);
  return svg.finish();
}

}  // namespace hqe
