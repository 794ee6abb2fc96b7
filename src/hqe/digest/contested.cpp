// SPDX-License-Identifier: MIT
#include "hqe/digest/contested.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace hqe {
namespace {

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

/// One sample, as DecidingClasses::find() has it.
struct RivalsOfSample {
  const RivalRows& given;
  const RivalRows& shares;
  std::int32_t truth;
  std::span<const std::int32_t> rivals;

  [[nodiscard]] std::int32_t label(std::size_t row) const {
    return row == 0 ? truth : rivals[row - 1];
  }
  [[nodiscard]] bool makes_idle(std::size_t j, std::size_t k) const;
};

bool RivalsOfSample::makes_idle(std::size_t j, std::size_t k) const {
  // Predictions and rivals of fewer models are asked of the numbers themselves: two of them may
  // have the same softmax.
  if (!is_at_or_above(given.of(j), given.of(k))) return false;
  // Sums are rounded, each addend's own order is not: whoever is at or above everywhere has a sum
  // that is not below, and the lower class wins where they tie.
  if (label(j) < label(k)) {
    return given.scores.data() == shares.scores.data() ||
           is_at_or_above(shares.of(j), shares.of(k));
  }
  // The true class wins ties with the one, and not with the other.
  if (label(j) > truth && label(k) < truth) return false;
  return is_far_above(shares.of(j), shares.of(k));
}

}  // namespace

void DecidingClasses::find(const RivalRows& given, const RivalRows& shares, std::int32_t truth,
                           std::span<const std::int32_t> rivals) {
  const RivalsOfSample sample{given, shares, truth, rivals};
  order_.clear();
  for (std::size_t row = 1; row <= rivals.size(); ++row) {
    const std::span<const double> share = shares.of(row);
    order_.push_back({row, std::accumulate(share.begin(), share.end(), 0.0)});
  }
  // Whoever makes another idle is at least as strong, or stands before it: one look at those kept
  // so far is enough.
  std::ranges::sort(order_, [](const Rival& left, const Rival& right) {
    return left.strength != right.strength ? left.strength > right.strength : left.row < right.row;
  });
  rows_.clear();
  for (const Rival& k : order_) {
    const bool is_idle =
        std::ranges::any_of(rows_, [&](std::size_t j) { return sample.makes_idle(j, k.row); });
    if (!is_idle) rows_.push_back(k.row);
  }
  rows_.push_back(0);
  std::ranges::sort(rows_, {}, [&](std::size_t row) { return sample.label(row); });
  labels_.clear();
  for (const std::size_t row : rows_) labels_.push_back(sample.label(row));
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
