// SPDX-License-Identifier: MIT
#include "hqe/votes/vote_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

namespace hqe {
namespace {

/// A weight above 0 as an odd whole number times a power of two.
struct OddMultiple {
  std::int64_t odd = 0;
  int exponent = 0;
};

OddMultiple odd_multiple(double weight) {
  int exponent = 0;
  const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(weight, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(digits));
  return {digits >> zeros, exponent - 53 + zeros};
}

// The smallest whole numbers in proportion to the weights, where sums of the weights compare as
// sums of these do: where no sum of M of them is rounded, or where all that are not 0 are the same.
std::optional<std::vector<double>> whole_weights(const std::vector<double>& weights) {
  std::vector<double> voting = weights;
  std::erase(voting, 0.0);
  std::vector<double> result(weights.size(), 0.0);
  if (std::ranges::adjacent_find(voting, std::ranges::not_equal_to{}) == voting.end()) {
    for (std::size_t m = 0; m < weights.size(); ++m) result[m] = weights[m] > 0 ? 1 : 0;
    return result;
  }
  int lowest = odd_multiple(voting.front()).exponent;
  for (const double weight : voting) lowest = std::min(lowest, odd_multiple(weight).exponent);
  constexpr double most = std::int64_t{1} << 53;
  if (std::ldexp(std::ranges::max(voting), -lowest) * static_cast<double>(weights.size()) > most) {
    return std::nullopt;
  }
  std::int64_t common = 0;
  for (const double weight : voting) {
    common = std::gcd(common, static_cast<std::int64_t>(std::ldexp(weight, -lowest)));
  }
  for (std::size_t m = 0; m < weights.size(); ++m) {
    result[m] = std::ldexp(weights[m], -lowest) / static_cast<double>(common);
  }
  return result;
}

}  // namespace

VoteValues::VoteValues(const VoteRule& rule, int model_count)
    : values(static_cast<std::size_t>(model_count), 1) {
  if (rule.vote == Vote::majority || model_count == 0) {
    vote_value = 1;
    return;
  }
  const std::vector<double> weights =
      rule.weights.empty() ? std::vector<double>(values.size(), 1.0) : rule.weights;
  const auto whole = whole_weights(weights);
  const bool by_accuracy = whole && rule.ties == Ties::accuracy;
  const auto [least, most] = std::ranges::minmax(rule.correct);
  const double spread = by_accuracy ? static_cast<double>(most - least) : 0;
  const double total = model_count * std::ranges::max(whole.value_or(weights));
  const double vote = whole ? total * spread + 1 : 1;
  const double largest = total * (vote + spread) + 1;
  rounded = !whole || largest > largest_sum;
  // Sums of weights mean nothing in themselves: all of the range is theirs.
  const double scale = !rounded ? 1.0 : largest_sum / (whole ? largest : total);
  for (std::size_t m = 0; m < values.size(); ++m) {
    const double beyond = by_accuracy ? static_cast<double>(rule.correct[m] - least) : 0;
    const double value = whole.value_or(weights)[m] * (vote + beyond);
    values[m] = static_cast<std::int32_t>(std::floor(scale * value + 0.5));
  }
  any = rounded ? largest_sum / model_count : static_cast<std::int32_t>(vote);
  const bool alike = whole && std::ranges::max(*whole) == 1;
  if (alike && !rounded) vote_value = any;
}

}  // namespace hqe
