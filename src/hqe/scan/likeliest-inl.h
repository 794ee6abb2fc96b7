// SPDX-License-Identifier: MIT
/// The likeliest classes of a row, from what the pass over it left behind: part of
/// score_kernel.cpp, compiled once a SIMD target.

// Highway's guard: the file is read again for every target.
#if defined(HQE_PREDICTIONS_LIKELIEST_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HQE_PREDICTIONS_LIKELIEST_INL_H
#undef HQE_PREDICTIONS_LIKELIEST_INL_H
#else
#define HQE_PREDICTIONS_LIKELIEST_INL_H
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "hqe/scan/long_rows-inl.h"
#include "hqe/scan/scan.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The likeliest classes of those taken so far, in any order; each is taken once.
template <class T>
class Likeliest {
 public:
  static_assert(Block::likely_count == 3);

  HWY_INLINE void take(T value, std::size_t label) {
    const Class next{value, static_cast<std::int32_t>(label)};
    if (!(next < best_[2])) return;
    best_[2] = next;
    if (best_[2] < best_[1]) std::swap(best_[1], best_[2]);
    if (best_[1] < best_[0]) std::swap(best_[0], best_[1]);
  }

  /// Whether a class above the others need have more than this to be taken.
  HWY_INLINE bool is_full() const { return best_[2].label >= 0; }
  HWY_INLINE T least() const { return best_[2].value; }
  HWY_INLINE void write(std::int32_t* labels) const {
    for (std::size_t i = 0; i < Block::likely_count; ++i) labels[i] = best_[i].label;
  }

 private:
  struct Class {
    T value = -std::numeric_limits<T>::infinity();
    std::int32_t label = -1;
    HWY_INLINE bool operator<(const Class& other) const {
      return value > other.value || (value == other.value && label < other.label);
    }
  };
  Class best_[Block::likely_count];
};

/// The same without a branch, which no predictor would know. Numbers that are not negative are in
/// the order of their bits, and behind them the lower class has the larger bits; 0 is nobody.
template <>
class Likeliest<float> {
 public:
  HWY_INLINE void take(float value, std::size_t label) {
    // Adding 0 makes -0 a 0.
    std::uint64_t next = std::uint64_t{std::bit_cast<std::uint32_t>(value + 0.0f)} << 32 |
                         ~static_cast<std::uint32_t>(label);
    for (std::uint64_t& best : best_) {
      const std::uint64_t larger = next > best ? next : best;
      next = next > best ? best : next;
      best = larger;
    }
  }

  HWY_INLINE bool is_full() const { return best_[2] != 0; }
  HWY_INLINE float least() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(best_[2] >> 32));
  }
  HWY_INLINE void write(std::int32_t* labels) const {
    for (std::size_t i = 0; i < Block::likely_count; ++i) {
      labels[i] = static_cast<std::int32_t>(~static_cast<std::uint32_t>(best_[i]));
    }
  }

 private:
  std::uint64_t best_[Block::likely_count] = {0, 0, 0};
};

/// Of rows so short that looking at every class is soonest.
template <class T>
HWY_INLINE void take_likeliest(const T* HWY_RESTRICT row, std::size_t length,
                               std::int32_t* HWY_RESTRICT labels) {
  Likeliest<T> best;
  for (std::size_t k = 0; k < length; ++k) best.take(row[k], k);
  best.write(labels);
}

/// Three classes at least have this value or more; minus infinity where there are too few lanes.
/// They are found in other lanes: the third best of the lanes' best.
template <class T>
HWY_INLINE T third_best_lane(const Layout<T>& layout, const T* HWY_RESTRICT largest) {
  const hn::ScalableTag<T> d;
  auto best = hn::Set(d, -std::numeric_limits<T>::infinity());
  for (std::size_t g = 0; g < layout.group_count; ++g) {
    best = hn::Max(best, hn::LoadU(d, largest + g * layout.lanes));
  }
  HWY_ALIGN T lanes[hn::MaxLanes(d)];
  hn::Store(best, d, lanes);
  T first = -std::numeric_limits<T>::infinity(), second = first, third = first;
  for (std::size_t i = 0; i < layout.lanes; ++i) {
    // Without a branch, which nobody could predict.
    const T value = lanes[i];
    const T below_first = value < first ? value : first;
    first = value < first ? first : value;
    const T below_second = below_first < second ? below_first : second;
    second = below_first < second ? second : below_first;
    third = below_second < third ? third : below_second;
  }
  return third;
}

/// Takes the classes of [begin, end), a multiple of vectors, that reach `limit`, but the true one.
template <class T>
HWY_INLINE void take_group(const T* HWY_RESTRICT row, std::size_t begin, std::size_t end,
                           std::size_t truth, T limit, Likeliest<T>& best) {
  const hn::ScalableTag<T> d;
  const auto least = hn::Set(d, limit);
  for (std::size_t first = begin; first < end; first += 64) {
    const std::size_t last = first + 64 < end ? first + 64 : end;
    std::uint64_t reach = 0;
    for (std::size_t i = first; i < last; i += hn::Lanes(d)) {
      reach |= mask_bits(d, hn::Ge(hn::LoadU(d, row + i), least)) << (i - first);
    }
    if (truth - first < 64) reach &= ~(std::uint64_t{1} << (truth - first));
    for (; reach != 0; reach &= reach - 1) {
      const std::size_t k = first + static_cast<std::size_t>(std::countr_zero(reach));
      best.take(row[k], k);
    }
  }
}

/// A bit for each of the groups [begin, end), at most 64, that hold something that reaches `limit`.
template <class T>
HWY_INLINE std::uint64_t open_groups(const Layout<T>& layout, const T* HWY_RESTRICT largest,
                                     std::size_t begin, std::size_t end, T limit) {
  const hn::ScalableTag<T> d;
  const auto reached = hn::Set(d, limit);
  std::uint64_t open = 0;
  for (std::size_t g = begin; g < end; ++g) {
    const auto group = hn::LoadU(d, largest + g * layout.lanes);
    open |= std::uint64_t{!hn::AllFalse(d, hn::Ge(group, reached))} << (g - begin);
  }
  return open;
}

/// `largest` is what survey_row() left of the row. Of a row with a fault nothing is promised but
/// that labels are classes or -1.
template <class T>
HWY_INLINE void find_likeliest(const T* HWY_RESTRICT row, std::size_t length, std::size_t truth,
                               const T* HWY_RESTRICT largest, std::int32_t* HWY_RESTRICT labels) {
  const hn::ScalableTag<T> d;
  const Layout<T> layout(length);
  Likeliest<T> best;
  const T limit = third_best_lane(layout, largest);
  for (std::size_t first = 0; first < layout.group_count; first += 64) {
    const std::size_t last = first + 64 < layout.group_count ? first + 64 : layout.group_count;
    std::uint64_t open = open_groups(layout, largest, first, last, limit);
    for (; open != 0; open &= open - 1) {
      const std::size_t g = first + static_cast<std::size_t>(std::countr_zero(open));
      // Where many are equal, as where models are sure, the first three are enough.
      if (best.is_full() && hn::AllFalse(d, hn::Gt(hn::LoadU(d, largest + g * layout.lanes),
                                                   hn::Set(d, best.least())))) {
        continue;
      }
      const std::size_t begin = g * layout.group;
      take_group(row, begin, layout.group_end(begin), truth, limit, best);
    }
  }
  for (std::size_t k = layout.vector_end; k < length; ++k) {
    if (k != truth) best.take(row[k], k);
  }
  best.take(row[truth], truth);
  best.write(labels);
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#endif
