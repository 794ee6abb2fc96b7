// SPDX-License-Identifier: MIT
/// What it costs to run a model, as far as its owner knows.

#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace hqe {

enum class Cost { params, gflops, latency_ms, memory_mb };

inline constexpr std::array all_costs{Cost::params, Cost::gflops, Cost::latency_ms,
                                      Cost::memory_mb};

/// "params", "gflops", "latency_ms", "memory_mb": the spelling in pool.toml, --budget and JSON.
[[nodiscard]] std::string_view to_string(Cost cost);

/// Nothing when the word is none of those.
[[nodiscard]] std::optional<Cost> parse_cost(std::string_view word);

/// Every value is non-negative and finite where it is known.
struct ModelCosts {
  std::array<std::optional<double>, all_costs.size()> values;

  /// A bound on the gradient norm of the model's margins, for robustness radii.
  std::optional<double> lipschitz;

  [[nodiscard]] std::optional<double> operator[](Cost cost) const {
    return values[static_cast<std::size_t>(cost)];
  }
  [[nodiscard]] std::optional<double>& operator[](Cost cost) {
    return values[static_cast<std::size_t>(cost)];
  }
};

}  // namespace hqe
