// SPDX-License-Identifier: MIT
#include "hqe/diversity/metric.h"

#include <algorithm>

#include "hqe/base/capital.h"

namespace hqe {
std::string_view to_string(Metric metric) { return row_of(metric).name; }

std::optional<Metric> parse_metric(std::string_view name) {
  for (const Metric metric : all_metrics) {
    if (std::ranges::equal(name, to_string(metric), {}, capital)) return metric;
  }
  return std::nullopt;
}

std::vector<Metric> pruning_metrics() {
  std::vector<Metric> metrics(all_metrics.begin(), all_metrics.end());
  std::erase_if(metrics, [](Metric metric) { return !can_prune(metric); });
  return metrics;
}

std::vector<std::pair<Metric, Metric>> repeated_opinions(std::span<const Metric> metrics) {
  std::vector<std::pair<Metric, Metric>> pairs;
  for (const Metric metric : metrics) {
    const std::optional<Metric> earlier = row_of(metric).same_order;
    if (earlier && std::ranges::find(metrics, *earlier) != metrics.end()) {
      pairs.emplace_back(*earlier, metric);
    }
  }
  return pairs;
}

}  // namespace hqe
