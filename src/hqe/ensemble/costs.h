// SPDX-License-Identifier: MIT
/// What it costs to run a model, as far as its owner knows.

#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

enum class Cost { params, gflops, latency_ms, memory_mb };

inline constexpr std::array all_costs{Cost::params, Cost::gflops, Cost::latency_ms,
                                      Cost::memory_mb};

/// "params", "gflops", "latency_ms", "memory_mb": the spelling in pool.toml, options and JSON.
[[nodiscard]] std::string_view to_string(Cost cost);

/// Nothing when the word is none of those.
[[nodiscard]] std::optional<Cost> parse_cost(std::string_view word);

/// Every value is non-negative and finite where it is known.
struct ModelCosts {
  std::array<std::optional<double>, all_costs.size()> values;

  /// A bound on the gradient norm of the model's margins, for robustness radii.
  std::optional<double> lipschitz;
  /// How far from a sample it holds; nothing: everywhere.
  std::optional<double> lipschitz_radius;
  /// Whether it was estimated from points, and not proven.
  bool lipschitz_estimated = false;

  [[nodiscard]] std::optional<double> operator[](Cost cost) const {
    return values[static_cast<std::size_t>(cost)];
  }
  [[nodiscard]] std::optional<double>& operator[](Cost cost) {
    return values[static_cast<std::size_t>(cost)];
  }
};

/// What teams cost: the sum over their members, added in their order.
class TeamPrices {
 public:
  /// One price a model.
  explicit TeamPrices(std::vector<double> of_models) : of_models_(std::move(of_models)) {}

  [[nodiscard]] double of(TeamView team) const;
  [[nodiscard]] const std::vector<double>& of_models() const { return of_models_; }

 private:
  std::vector<double> of_models_;
};

/// By one cost of `models`, which have `costs`, an unknown one counting 0; nothing: by their
/// number, 1 each.
template <class Models>
[[nodiscard]] TeamPrices team_prices(const Models& models, const std::optional<Cost>& cost) {
  std::vector<double> prices;
  for (const auto& model : models) {
    prices.push_back(cost ? model.costs[*cost].value_or(0) : 1.0);
  }
  return TeamPrices(std::move(prices));
}

/// The costs that every one of `models` has.
template <class Models>
[[nodiscard]] std::vector<Cost> known_costs_of(const Models& models) {
  std::vector<Cost> known(all_costs.begin(), all_costs.end());
  std::erase_if(known, [&](Cost cost) {
    return !std::ranges::all_of(models,
                                [&](const auto& model) { return model.costs[cost].has_value(); });
  });
  return known;
}

}  // namespace hqe
