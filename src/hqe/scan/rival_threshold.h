// SPDX-License-Identifier: MIT
/// What a class must score to be a rival of the true one (docs/decisions/0008-rivals.md), in one
/// place for the kernels and for digests. Private to scan/.

#pragma once

#include <cmath>
#include <limits>

namespace hqe {

/// The least T that is not below `value`.
template <class T>
[[gnu::always_inline]] inline T round_up(double value) {
  const T nearest = static_cast<T>(value);
  return static_cast<double>(nearest) < value
             ? std::nextafter(nearest, std::numeric_limits<T>::infinity())
             : nearest;
}

/// A class whose score reaches this is a rival of one that has `own`; logits are looked at again
/// when they lie far below the row's largest. The same classes for every T that holds the scores.
template <class T>
[[gnu::always_inline]] inline T rival_threshold(T own, bool is_logits, int model_count) {
  if (is_logits) return round_up<T>(static_cast<double>(own) - (model_count * 0x1p-48 + 0x1p-41));
  if (own == 0) return std::numeric_limits<T>::denorm_min();
  return round_up<T>(static_cast<double>(own) * (1 - model_count * 0x1p-49));
}

/// Below this distance from the largest logit the softmax is no longer a normal number, so that
/// classes may tie there whatever their logits.
inline constexpr double denormal_distance = -680;
/// Below this one the softmax is 0.
inline constexpr double zero_distance = -746;

/// What a class must reach to be marked, where some class reaches `threshold`.
template <class T>
[[gnu::always_inline]] inline T mark_threshold(bool is_logits, T own, T best_other, T threshold) {
  const double best = static_cast<double>(best_other);
  if (is_logits && static_cast<double>(own) - best < denormal_distance) {
    threshold = round_up<T>(best + zero_distance);
  }
  return threshold;
}

}  // namespace hqe
