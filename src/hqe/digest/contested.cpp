// SPDX-License-Identifier: MIT
#include "hqe/digest/contested.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace hqe {
namespace {

/// A rival with what every model gives it.
struct Rival {
  std::int32_t label = 0;
  double strength = 0;
  std::span<const double> given, shares;  ///< One a model.
};

bool is_at_or_above(std::span<const double> j, std::span<const double> k) {
  return std::ranges::equal(j, k, std::ranges::greater_equal{});
}

/// Ahead by more than rounding can take, wherever the other has anything: sums of M such numbers
/// are off by less than M 2^-52 of themselves, and weights of at least 1e-100 leave what is not
/// tiny above the smallest numbers there are.
bool is_far_above(std::span<const double> j, std::span<const double> k) {
  for (std::size_t m = 0; m < j.size(); ++m) {
    const bool is_ahead = j[m] >= 0x1p-600 && j[m] >= k[m] * (1 + 0x1p-30);
    if (k[m] != 0 && !is_ahead) return false;
  }
  return true;
}

bool makes_idle(const Rival& j, const Rival& k, std::int32_t truth) {
  // Predictions and rivals of fewer models are asked of the numbers themselves: two of them may
  // have the same softmax.
  if (!is_at_or_above(j.given, k.given)) return false;
  // Sums are rounded, each addend's own order is not: whoever is at or above everywhere has a sum
  // that is not below, and the lower class wins where they tie.
  if (j.label < k.label) return is_at_or_above(j.shares, k.shares);
  // The true class wins ties with the one, and not with the other.
  if (j.label > truth && k.label < truth) return false;
  return is_far_above(j.shares, k.shares);
}

}  // namespace

std::vector<std::int32_t> deciding_classes(const SampleScores& given, const SampleScores& shares,
                                           std::int32_t truth,
                                           std::span<const std::int32_t> rivals) {
  const std::size_t models = given.models;
  std::vector<double> numbers(2 * rivals.size() * models);
  std::vector<Rival> order;
  for (std::size_t r = 0; r < rivals.size(); ++r) {
    const std::span own = std::span(numbers).subspan(2 * r * models, models);
    const std::span share = std::span(numbers).subspan((2 * r + 1) * models, models);
    for (std::size_t m = 0; m < models; ++m) {
      own[m] = given.of(m)[static_cast<std::size_t>(rivals[r])];
      share[m] = shares.of(m)[static_cast<std::size_t>(rivals[r])];
    }
    order.push_back({.label = rivals[r],
                     .strength = std::accumulate(share.begin(), share.end(), 0.0),
                     .given = own,
                     .shares = share});
  }
  // Whoever makes another idle is at least as strong, or stands before it: one look at those kept
  // so far is enough.
  std::ranges::stable_sort(order, std::ranges::greater{}, &Rival::strength);
  std::vector<Rival> kept;
  for (const Rival& k : order) {
    const bool is_idle =
        std::ranges::any_of(kept, [&](const Rival& j) { return makes_idle(j, k, truth); });
    if (!is_idle) kept.push_back(k);
  }
  std::vector<std::int32_t> classes{truth};
  for (const Rival& rival : kept) classes.push_back(rival.label);
  std::ranges::sort(classes);
  return classes;
}

FewClasses likeliest_classes(std::span<const double> shares) {
  FewClasses best;
  const auto at = [&](std::size_t i) { return shares[static_cast<std::size_t>(best.labels[i])]; };
  for (std::size_t label = 0; label < shares.size(); ++label) {
    if (best.count == best.labels.size() && !(shares[label] > at(best.count - 1))) continue;
    std::size_t place = best.count < best.labels.size() ? best.count++ : best.count - 1;
    for (; place > 0 && shares[label] > at(place - 1); --place) {
      best.labels[place] = best.labels[place - 1];
    }
    best.labels[place] = static_cast<std::int32_t>(label);
  }
  return best;
}

}  // namespace hqe
