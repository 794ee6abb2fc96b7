// SPDX-License-Identifier: MIT
/// One pass over a row of any length, and a closer look at what it left behind: part of
/// score_kernel.cpp, compiled once a SIMD target.

// Highway's guard: the file is read again for every target.
#if defined(HQE_PREDICTIONS_LONG_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HQE_PREDICTIONS_LONG_ROWS_INL_H
#undef HQE_PREDICTIONS_LONG_ROWS_INL_H
#else
#define HQE_PREDICTIONS_LONG_ROWS_INL_H
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// What one pass over a row sees.
struct Survey {
  double sum;         ///< NaN or infinite where a value is.
  bool has_negative;  ///< Some value is below 0, or is -0.
  double best_other;  ///< The largest value of the classes but the true one.
};

/// So many vectors of a row are a group. The pass leaves the largest value of each lane of each
/// group behind, so that a closer look need only open the groups in which there is something.
constexpr std::size_t group_vectors = 8;

/// How a row is cut up: whole groups, one that may be shorter, and single values.
template <class T>
struct Layout {
  explicit HWY_INLINE Layout(std::size_t length) {
    lanes = hn::Lanes(hn::ScalableTag<T>());
    group = group_vectors * lanes;
    vector_end = length / lanes * lanes;
    whole_groups = vector_end / group;
    group_count = (vector_end + group - 1) / group;
  }

  HWY_INLINE std::size_t group_end(std::size_t begin) const {
    return begin + group < vector_end ? begin + group : vector_end;
  }

  std::size_t lanes, group, vector_end, whole_groups, group_count;
};

/// Vectors of a row in which the true class stands as minus infinity. Branches would cost more: no
/// predictor knows where the true class is.
template <class T>
class Others {
 public:
  using D = hn::ScalableTag<T>;
  using DIndex = hn::RebindToSigned<D>;

  /// `lane_numbers` are 0, 1, 2...: Highway makes them through memory, so they are made once.
  HWY_INLINE Others(const T* HWY_RESTRICT row, std::size_t truth, hn::Vec<DIndex> lane_numbers)
      : row_(row), truth_(truth), lane_numbers_(lane_numbers) {}

  HWY_INLINE hn::Vec<D> load(std::size_t begin) const {
    using Index = hn::TFromD<DIndex>;
    const auto lane = hn::Set(DIndex(), static_cast<Index>(truth_ - begin));
    return hn::IfThenElse(hn::RebindMask(D(), hn::Eq(lane_numbers_, lane)),
                          hn::Set(D(), -std::numeric_limits<T>::infinity()),
                          hn::LoadU(D(), row_ + begin));
  }

 private:
  const T* HWY_RESTRICT row_;
  std::size_t truth_;
  hn::Vec<DIndex> lane_numbers_;
};

/// Sums of this many groups are taken in T, so that their error stays small whatever the number of
/// classes.
constexpr std::size_t groups_a_sum = 64;

/// What was loaded before stays in registers. A compiler would sooner load a value again for each
/// use of it, and a row that is read once is as long as its loads; after this, memory may be
/// another.
HWY_INLINE void keep_what_was_loaded() { __asm__ volatile("" ::: "memory"); }

/// Surveys whole groups [first, last); returns their sum and adds their bits to `bits`.
template <class T>
HWY_INLINE double survey_groups(const T* HWY_RESTRICT row, std::size_t first, std::size_t last,
                                hn::Vec<hn::ScalableTag<T>>& bits, T* HWY_RESTRICT largest) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t group = group_vectors * lanes;
  auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  auto bits0 = bits, bits1 = bits;
  for (std::size_t g = first; g < last; ++g) {
    const T* HWY_RESTRICT at = row + g * group;
    const auto v0 = hn::LoadU(d, at);
    const auto v1 = hn::LoadU(d, at + lanes);
    const auto v2 = hn::LoadU(d, at + 2 * lanes);
    const auto v3 = hn::LoadU(d, at + 3 * lanes);
    const auto v4 = hn::LoadU(d, at + 4 * lanes);
    const auto v5 = hn::LoadU(d, at + 5 * lanes);
    const auto v6 = hn::LoadU(d, at + 6 * lanes);
    const auto v7 = hn::LoadU(d, at + 7 * lanes);
    keep_what_was_loaded();
    sum0 = hn::Add(hn::Add(sum0, v0), v4);
    sum1 = hn::Add(hn::Add(sum1, v1), v5);
    sum2 = hn::Add(hn::Add(sum2, v2), v6);
    sum3 = hn::Add(hn::Add(sum3, v3), v7);
    bits0 = hn::Or(bits0, hn::Or(hn::Or(v0, v1), hn::Or(v2, v3)));
    bits1 = hn::Or(bits1, hn::Or(hn::Or(v4, v5), hn::Or(v6, v7)));
    const auto high0 = hn::Max(hn::Max(v0, v1), hn::Max(v2, v3));
    const auto high1 = hn::Max(hn::Max(v4, v5), hn::Max(v6, v7));
    hn::StoreU(hn::Max(high0, high1), d, largest + g * lanes);
  }
  bits = hn::Or(bits0, bits1);
  return static_cast<double>(
      hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3)))));
}

/// Surveys the vectors after the last whole group, and leaves the true class out of its group.
template <class T>
HWY_INLINE double survey_rest(const T* HWY_RESTRICT row, const Layout<T>& layout, std::size_t truth,
                              const Others<T>& others, hn::Vec<hn::ScalableTag<T>>& bits,
                              T* HWY_RESTRICT largest) {
  const hn::ScalableTag<T> d;
  const auto nothing = hn::Set(d, -std::numeric_limits<T>::infinity());
  auto sum = hn::Zero(d);
  auto high = nothing;
  const std::size_t rest = layout.whole_groups * layout.group;
  for (std::size_t i = rest; i < layout.vector_end; i += layout.lanes) {
    const auto v = hn::LoadU(d, row + i);
    sum = hn::Add(sum, v);
    bits = hn::Or(bits, v);
    high = hn::Max(high, others.load(i));
  }
  if (rest < layout.vector_end) hn::StoreU(high, d, largest + layout.whole_groups * layout.lanes);
  if (truth < rest) {
    const std::size_t g = truth / layout.group;
    auto group = nothing;
    for (std::size_t v = 0; v < group_vectors; ++v) {
      group = hn::Max(group, others.load(g * layout.group + v * layout.lanes));
    }
    hn::StoreU(group, d, largest + g * layout.lanes);
  }
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
}

/// One pass over a row. `largest` takes the largest values of the groups, the true class left out.
template <class T>
HWY_INLINE Survey survey_row(const T* HWY_RESTRICT row, std::size_t length, std::size_t truth,
                             const Others<T>& others, T* HWY_RESTRICT largest) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> di;
  const Layout<T> layout(length);
  Survey survey{0, false, 0};
  auto bits = hn::Zero(d);
  for (std::size_t g = 0; g < layout.whole_groups; g += groups_a_sum) {
    const std::size_t end = g + groups_a_sum;
    const std::size_t last = end < layout.whole_groups ? end : layout.whole_groups;
    survey.sum += survey_groups(row, g, last, bits, largest);
  }
  survey.sum += survey_rest(row, layout, truth, others, bits, largest);
  auto best = hn::Set(d, -std::numeric_limits<T>::infinity());
  for (std::size_t g = 0; g < layout.group_count; ++g) {
    best = hn::Max(best, hn::LoadU(d, largest + g * layout.lanes));
  }
  survey.best_other = static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, best)));
  survey.has_negative = !hn::AllFalse(di, hn::Lt(hn::BitCast(di, bits), hn::Zero(di)));
  for (std::size_t i = layout.vector_end; i < length; ++i) {
    const auto value = static_cast<double>(row[i]);
    survey.sum += value;
    survey.has_negative |= value < 0;
    if (i != truth && value > survey.best_other) survey.best_other = value;
  }
  return survey;
}

/// A bit a lane, at most 16.
template <class D, class M>
HWY_INLINE std::uint64_t mask_bits(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return static_cast<std::uint64_t>(bytes[0] | bytes[1] << 8);
}

/// Marks the classes of [begin, end), a multiple of vectors, that reach the threshold.
template <class T>
HWY_INLINE void mark_group(const T* HWY_RESTRICT row, std::size_t begin, std::size_t end,
                           T threshold, std::uint64_t* HWY_RESTRICT marks) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto limit = hn::Set(d, threshold);
  for (std::size_t i = begin; i < end; i += lanes) {
    // Lanes never cross a word, whose 64 bits they divide.
    marks[i / 64] |= mask_bits(d, hn::Ge(hn::LoadU(d, row + i), limit)) << (i % 64);
  }
}

/// The first class of [begin, end), a multiple of vectors, that has `value`; `end` where none has.
template <class T>
HWY_INLINE std::size_t find_first(const T* HWY_RESTRICT row, std::size_t begin, std::size_t end,
                                  T value) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto wanted = hn::Set(d, value);
  for (std::size_t i = begin; i < end; i += lanes) {
    const std::uint64_t found = mask_bits(d, hn::Eq(hn::LoadU(d, row + i), wanted));
    if (found != 0) return i + static_cast<std::size_t>(std::countr_zero(found));
  }
  return end;
}

/// Marks every class that reaches the threshold, and returns the first one that has `value`; the
/// row's length where none has. Requires: no value of another class than the true one is above
/// `value`, and one has it.
template <class T>
HWY_INLINE std::size_t mark_row(const T* HWY_RESTRICT row, std::size_t length,
                                const T* HWY_RESTRICT largest, T threshold, T value,
                                std::uint64_t* HWY_RESTRICT marks) {
  const hn::ScalableTag<T> d;
  const Layout<T> layout(length);
  const auto limit = hn::Set(d, threshold);
  const auto wanted = hn::Set(d, value);
  std::size_t first = length;
  for (std::size_t g = 0; g < layout.group_count; ++g) {
    const auto group = hn::LoadU(d, largest + g * layout.lanes);
    if (hn::AllFalse(d, hn::Ge(group, limit))) continue;
    const std::size_t begin = g * layout.group;
    const std::size_t end = layout.group_end(begin);
    mark_group(row, begin, end, threshold, marks);
    if (first == length && !hn::AllFalse(d, hn::Eq(group, wanted))) {
      first = find_first(row, begin, end, value);
    }
  }
  for (std::size_t i = layout.vector_end; i < length; ++i) {
    if (row[i] < threshold) continue;
    marks[i / 64] |= std::uint64_t{1} << (i % 64);
    if (first == length && row[i] == value) first = i;
  }
  return first;
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#endif
