// SPDX-License-Identifier: MIT
#include "hqe/study/study.h"

#include <fmt/format.h>

#include <algorithm>

namespace hqe {
namespace {

struct CostSum {
  double sum = 0;
  double largest = 0;
};

/// Nothing when a member's cost is unknown.
std::optional<CostSum> sum_of(const PoolSummary& pool, TeamView team, Cost cost) {
  CostSum result;
  for (const ModelId model : team) {
    const auto value = pool.models[model].costs[cost];
    if (!value) return std::nullopt;
    result.sum += *value;
    result.largest = std::max(result.largest, *value);
  }
  return result;
}

double reduction(double team, double entire) { return entire > 0 ? 1 - team / entire : 0; }

}  // namespace

std::string_view to_string(Shape shape) {
  switch (shape) {
    case Shape::single:
      return "single";
    case Shape::entire:
      return "entire";
    case Shape::team:
      break;
  }
  return "team";
}

std::optional<Shape> parse_shape(std::string_view word) {
  for (const Shape shape : {Shape::team, Shape::single, Shape::entire}) {
    if (to_string(shape) == word) return shape;
  }
  return std::nullopt;
}

Shape shape_of(const Team& team, int model_count) {
  if (team.size() == model_count) return Shape::entire;
  return team.size() == 1 ? Shape::single : Shape::team;
}

std::string_view to_string(Alternative::Role role) {
  return role == Alternative::Role::cheaper ? "cheaper" : "most_accurate";
}

std::optional<Alternative::Role> parse_role(std::string_view word) {
  for (const auto role : {Alternative::Role::cheaper, Alternative::Role::most_accurate}) {
    if (to_string(role) == word) return role;
  }
  return std::nullopt;
}

bool TeamCosts::empty() const {
  return std::ranges::none_of(values, [](const auto& value) { return value.has_value(); });
}

bool Study::empty() const {
  return std::ranges::all_of(
      selections, [](const Selection& selection) { return selection.selected.size() == 0; });
}

std::string names_of(const PoolSummary& pool, const Team& team) {
  if (team.size() == static_cast<int>(pool.models.size())) {
    return fmt::format("all {} models", team.size());
  }
  std::string names;
  for (const ModelId model : team) names += (names.empty() ? "" : ", ") + pool.models[model].name;
  return names;
}

TeamCosts team_costs(const PoolSummary& pool, TeamView team) {
  TeamCosts costs;
  const Team entire = Team::all(static_cast<int>(pool.models.size()));
  for (const Cost cost : all_costs) {
    const auto own = sum_of(pool, team, cost);
    const auto all = sum_of(pool, entire.view(), cost);
    if (!own || !all) continue;
    TeamCosts::Value value{.sum = own->sum, .reduction = reduction(own->sum, all->sum)};
    if (cost == Cost::latency_ms) {
      value.parallel = own->largest;
      value.parallel_reduction = reduction(own->largest, all->largest);
    }
    costs.values[static_cast<std::size_t>(cost)] = value;
  }
  return costs;
}

}  // namespace hqe
