// SPDX-License-Identifier: MIT
#include "hqe/votes/vote_weights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "hqe/base/elementary.h"
#include "hqe/base/error.h"

namespace hqe {
namespace {

// Beyond these limits products with probabilities could underflow or overflow, and the error bounds
// of the contests rest on relative errors.
constexpr double smallest_weight = 1e-100;
constexpr double largest_weight = 1e100;

bool is_zero(double weight) { return weight == 0; }

void check_weights(const std::vector<double>& weights, std::size_t model_count,
                   const std::vector<std::string>& names) {
  if (weights.size() != model_count) {
    throw UsageError("there are " + std::to_string(weights.size()) + " vote weights for " +
                     std::to_string(model_count) + " models. Give one number a model");
  }
  for (std::size_t m = 0; m < weights.size(); ++m) {
    const double weight = weights[m];
    if (weight == 0 || (weight >= smallest_weight && weight <= largest_weight)) continue;
    const std::string name = names.empty() ? "model " + std::to_string(m) : names[m];
    throw UsageError("the vote weight of " + name +
                     " is not usable. Weights are 0 or between 1e-100 and 1e100");
  }
  if (std::ranges::all_of(weights, is_zero)) {
    throw UsageError("every vote weight is 0. Give at least one model a say");
  }
}

double accuracy_weight(std::uint64_t correct, std::uint64_t samples) {
  return static_cast<double>(correct) / static_cast<double>(samples);
}

// Who is right as often as not says nothing by its log-odds, and who is right less often would have
// to be believed in reverse, which only two classes allow. Who is never wrong would decide alone:
// half a failure is assumed of it.
double log_odds_weight(std::uint64_t correct, std::uint64_t samples) {
  const auto right = static_cast<double>(correct);
  const double wrong = std::max(static_cast<double>(samples) - right, 0.5);
  return right <= wrong ? 0
                        : portable_log(std::min(right, static_cast<double>(samples) - 0.5) / wrong);
}

}  // namespace

std::vector<double> settle_weights(const VoteOptions& options,
                                   const std::vector<std::uint64_t>& correct, std::uint64_t samples,
                                   const std::vector<std::string>& names) {
  if (!options.weights.empty()) {
    check_weights(options.weights, correct.size(), names);
    return options.weights;
  }
  std::vector<double> weights;
  for (const std::uint64_t count : correct) {
    weights.push_back(options.weigh_by == WeighBy::accuracy ? accuracy_weight(count, samples)
                                                            : log_odds_weight(count, samples));
  }
  // Zeros all over would leave nobody a say: nobody is worse than the others.
  if (std::ranges::all_of(weights, is_zero)) std::ranges::fill(weights, 1.0);
  return weights;
}

Strengths::Strengths(const std::vector<double>& weights, const std::vector<std::uint64_t>& correct,
                     TeamView team)
    : weights_(weights), correct_(correct) {
  if (weights_.empty()) return;
  double heaviest = 0;
  for (const ModelId model : team) heaviest = std::max(heaviest, weights_[model]);
  int exponent = 0;
  std::frexp(heaviest, &exponent);
  scale_ = std::ldexp(1.0, 52 - exponent);
}

Strength Strengths::operator()(ModelId model) const {
  if (weights_.empty()) return correct_[model];
  const auto weight = static_cast<std::uint64_t>(std::floor(weights_[model] * scale_ + 0.5));
  return Strength{weight} * correct_[model];
}

}  // namespace hqe
