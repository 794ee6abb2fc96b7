// SPDX-License-Identifier: MIT
#include "hqe/pruning/mean_threshold.h"

#include <cmath>

namespace hqe {
namespace {

/// Neumaier's sum: the mean of millions of scores must not drift by more than the margin of 1e-12.
double exact_sum(std::span<const double> values) {
  double sum = 0;
  double low_part = 0;
  for (const double value : values) {
    const double next = sum + value;
    low_part += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  return sum + low_part;
}

}  // namespace

MeanThreshold prune_by_mean_threshold(std::span<const double> scores) {
  MeanThreshold result;
  if (scores.empty()) return result;
  result.threshold = exact_sum(scores) / static_cast<double>(scores.size());
  result.kept.reserve(scores.size());
  for (const double score : scores) result.kept.push_back(score > result.threshold + 1e-12);
  return result;
}

}  // namespace hqe
