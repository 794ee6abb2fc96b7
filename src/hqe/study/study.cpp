// SPDX-License-Identifier: MIT
#include "hqe/study/study.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "hqe/base/words.h"

namespace hqe {
namespace {

constexpr std::array shape_words{Word{Shape::team, "team"}, Word{Shape::single, "single"},
                                 Word{Shape::entire, "entire"}};
constexpr std::array role_words{Word{Alternative::Role::cheaper, "cheaper"},
                                Word{Alternative::Role::most_accurate, "most_accurate"}};

double reduction(double team, double entire) { return entire > 0 ? 1 - team / entire : 0; }

}  // namespace

Shape shape_of(const Team& team, int model_count) {
  if (team.size() == model_count) return Shape::entire;
  return team.size() == 1 ? Shape::single : Shape::team;
}

std::string_view to_string(Shape shape) { return word_of(shape_words, shape); }

std::string_view to_string(Alternative::Role role) { return word_of(role_words, role); }

std::optional<Alternative::Role> parse_role(std::string_view word) {
  return value_of(role_words, word);
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

std::vector<Cost> known_costs(const PoolSummary& pool) { return known_costs_of(pool.models); }

TeamCosts team_costs(const PoolSummary& pool, TeamView team) {
  TeamCosts costs;
  const Team entire = Team::all(static_cast<int>(pool.models.size()));
  for (const Cost cost : known_costs(pool)) {
    const TeamPrices prices = team_prices(pool.models, cost);
    const double sum = prices.of(team);
    TeamCosts::Value value{.sum = sum, .reduction = reduction(sum, prices.of(entire.view()))};
    if (cost == Cost::latency_ms) {
      const auto of_model = [&](ModelId model) { return prices.of_models()[model]; };
      value.parallel = team.empty() ? 0 : of_model(std::ranges::max(team, {}, of_model));
      value.parallel_reduction = reduction(*value.parallel, std::ranges::max(prices.of_models()));
    }
    costs.values[static_cast<std::size_t>(cost)] = value;
  }
  return costs;
}

}  // namespace hqe
