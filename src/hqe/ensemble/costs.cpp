// SPDX-License-Identifier: MIT
#include "hqe/ensemble/costs.h"

namespace hqe {

std::string_view to_string(Cost cost) {
  switch (cost) {
    case Cost::params:
      return "params";
    case Cost::gflops:
      return "gflops";
    case Cost::latency_ms:
      return "latency_ms";
    case Cost::memory_mb:
      return "memory_mb";
  }
  return "";
}

std::optional<Cost> parse_cost(std::string_view word) {
  for (const Cost cost : all_costs) {
    if (to_string(cost) == word) return cost;
  }
  return std::nullopt;
}

double TeamPrices::of(TeamView team) const {
  double sum = 0;
  for (const ModelId model : team) sum += of_models_[model];
  return sum;
}

}  // namespace hqe
