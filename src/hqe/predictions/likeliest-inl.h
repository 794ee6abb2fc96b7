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

#include "hqe/predictions/long_rows-inl.h"
#include "hqe/predictions/scan.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The likeliest classes of those taken so far.
template <class T>
class Likeliest {
 public:
  static_assert(Block::likely_count == 3);

  /// Classes come in any order; each once.
  HWY_INLINE void take(T value, std::int32_t label) {
    if (!is_before(value, label, 2)) return;
    if (is_before(value, label, 1)) {
      move(1, 2);
      if (is_before(value, label, 0)) {
        move(0, 1);
        return set(0, value, label);
      }
      return set(1, value, label);
    }
    set(2, value, label);
  }

  /// What a class must be above to be taken, where it stands behind those that were.
  HWY_INLINE T least() const { return values_[2]; }
  HWY_INLINE void write(std::int32_t* labels) const {
    for (std::size_t i = 0; i < Block::likely_count; ++i) labels[i] = labels_[i];
  }

 private:
  HWY_INLINE bool is_before(T value, std::int32_t label, std::size_t i) const {
    return value > values_[i] || (value == values_[i] && label < labels_[i]);
  }
  HWY_INLINE void move(std::size_t from, std::size_t to) { set(to, values_[from], labels_[from]); }
  HWY_INLINE void set(std::size_t i, T value, std::int32_t label) {
    values_[i] = value;
    labels_[i] = label;
  }

  static constexpr T nothing = -std::numeric_limits<T>::infinity();
  T values_[Block::likely_count] = {nothing, nothing, nothing};
  std::int32_t labels_[Block::likely_count] = {-1, -1, -1};
};

/// Of rows so short that looking at every class is soonest.
template <class T>
HWY_INLINE void take_likeliest(const T* HWY_RESTRICT row, std::size_t length,
                               std::int32_t* HWY_RESTRICT labels) {
  Likeliest<T> best;
  for (std::size_t k = 0; k < length; ++k) best.take(row[k], static_cast<std::int32_t>(k));
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
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    std::uint64_t reach = mask_bits(d, hn::Ge(hn::LoadU(d, row + i), least));
    for (; reach != 0; reach &= reach - 1) {
      const std::size_t k = i + static_cast<std::size_t>(std::countr_zero(reach));
      if (k != truth) best.take(row[k], static_cast<std::int32_t>(k));
    }
  }
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
  const auto reached = hn::Set(d, limit);
  for (std::size_t g = 0; g < layout.group_count; ++g) {
    const auto group = hn::LoadU(d, largest + g * layout.lanes);
    // Where many are equal, as where models are sure, the first three are enough.
    const bool is_open = best.least() < limit
                             ? !hn::AllFalse(d, hn::Ge(group, reached))
                             : !hn::AllFalse(d, hn::Gt(group, hn::Set(d, best.least())));
    if (!is_open) continue;
    const std::size_t begin = g * layout.group;
    take_group(row, begin, layout.group_end(begin), truth, limit, best);
  }
  for (std::size_t k = layout.vector_end; k < length; ++k) {
    if (k != truth) best.take(row[k], static_cast<std::int32_t>(k));
  }
  best.take(row[truth], static_cast<std::int32_t>(truth));
  best.write(labels);
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#endif
