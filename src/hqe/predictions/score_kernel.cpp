// SPDX-License-Identifier: MIT
#include "hqe/predictions/score_kernel.h"

#include <cmath>
#include <limits>

#include "hqe/predictions/array.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/predictions/score_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// What one pass over a row sees.
struct Survey {
  std::size_t at_threshold;  ///< How many values reach the threshold.
  double sum;                ///< NaN or infinite where a value is.
  double smallest, largest;
};

/// The least T that is not below `value`.
template <class T>
HWY_INLINE T round_up(double value) {
  const T nearest = static_cast<T>(value);
  return static_cast<double>(nearest) < value
             ? std::nextafter(nearest, std::numeric_limits<T>::infinity())
             : nearest;
}

/// A class whose score reaches this is a rival (docs/decisions/rivals.md); logits are looked at
/// again when they lie far below the row's largest.
template <class T>
HWY_INLINE T rival_threshold(T own, bool is_logits, int model_count) {
  if (is_logits) return round_up<T>(static_cast<double>(own) - (model_count * 0x1p-48 + 0x1p-41));
  if (own == 0) return std::numeric_limits<T>::denorm_min();
  return round_up<T>(static_cast<double>(own) * (1 - model_count * 0x1p-49));
}

template <class T>
HWY_INLINE void survey_one(T value, T threshold, Survey& survey) {
  survey.at_threshold += value >= threshold ? 1 : 0;
  survey.sum += static_cast<double>(value);
  const auto wide = static_cast<double>(value);
  if (wide < survey.smallest) survey.smallest = wide;
  if (wide > survey.largest) survey.largest = wide;
}

/// Sums of at most this many values are taken in T, so that their error stays small whatever the
/// number of classes.
constexpr std::size_t piece_length = 4096;

/// Adds `length` values, at least a vector and a multiple of vectors, to the survey.
template <class T>
HWY_INLINE void survey_piece(const T* HWY_RESTRICT row, std::size_t length, T threshold,
                             Survey& survey) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto limit = hn::Set(d, threshold);
  auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  auto low0 = hn::LoadU(d, row), low1 = low0, high0 = low0, high1 = low0;
  auto count0 = hn::Zero(di), count1 = count0;
  // A true comparison is -1 in its lane.
  const auto reaches = [&](hn::Vec<decltype(d)> v) HWY_ATTR {
    return hn::BitCast(di, hn::VecFromMask(d, hn::Ge(v, limit)));
  };
  std::size_t i = 0;
  for (; i + 4 * lanes <= length; i += 4 * lanes) {
    const auto v0 = hn::LoadU(d, row + i);
    const auto v1 = hn::LoadU(d, row + i + lanes);
    const auto v2 = hn::LoadU(d, row + i + 2 * lanes);
    const auto v3 = hn::LoadU(d, row + i + 3 * lanes);
    sum0 = hn::Add(sum0, v0);
    sum1 = hn::Add(sum1, v1);
    sum2 = hn::Add(sum2, v2);
    sum3 = hn::Add(sum3, v3);
    low0 = hn::Min(low0, hn::Min(v0, v1));
    low1 = hn::Min(low1, hn::Min(v2, v3));
    high0 = hn::Max(high0, hn::Max(v0, v1));
    high1 = hn::Max(high1, hn::Max(v2, v3));
    count0 = hn::Sub(count0, hn::Add(reaches(v0), reaches(v1)));
    count1 = hn::Sub(count1, hn::Add(reaches(v2), reaches(v3)));
  }
  for (; i < length; i += lanes) {
    const auto v = hn::LoadU(d, row + i);
    sum0 = hn::Add(sum0, v);
    low0 = hn::Min(low0, v);
    high0 = hn::Max(high0, v);
    count0 = hn::Sub(count0, reaches(v));
  }
  survey.at_threshold +=
      static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(di, hn::Add(count0, count1))));
  survey.sum += static_cast<double>(
      hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3)))));
  const auto low = static_cast<double>(hn::GetLane(hn::MinOfLanes(d, hn::Min(low0, low1))));
  const auto high = static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, hn::Max(high0, high1))));
  if (low < survey.smallest) survey.smallest = low;
  if (high > survey.largest) survey.largest = high;
}

template <class T>
HWY_INLINE Survey survey_row(const T* HWY_RESTRICT row, std::size_t length, T threshold) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Survey survey{0, 0, infinity, -infinity};
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const std::size_t whole = length / lanes * lanes;
  std::size_t i = 0;
  while (i < whole) {
    const std::size_t piece = whole - i < piece_length ? whole - i : piece_length;
    survey_piece(row + i, piece, threshold, survey);
    i += piece;
  }
  for (; i < length; ++i) survey_one(row[i], threshold, survey);
  return survey;
}

/// One bit a class of [begin, end), at most 64 of them, that reaches the threshold.
template <class T>
HWY_INLINE std::uint64_t bits_at(const T* HWY_RESTRICT row, std::size_t begin, std::size_t end,
                                 T threshold) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto limit = hn::Set(d, threshold);
  std::uint64_t word = 0;
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Ge(hn::LoadU(d, row + i), limit), bytes);
    word |= static_cast<std::uint64_t>(bytes[0] | bytes[1] << 8) << (i - begin);
  }
  for (; i < end; ++i) word |= std::uint64_t{row[i] >= threshold} << (i - begin);
  return word;
}

/// The first class that has `value`; the row's length where none has.
template <class T>
HWY_INLINE std::size_t find_first(const T* HWY_RESTRICT row, std::size_t length, T value) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto wanted = hn::Set(d, value);
  std::size_t i = 0;
  for (; i + lanes <= length; i += lanes) {
    const std::intptr_t found = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, row + i), wanted));
    if (found >= 0) return i + static_cast<std::size_t>(found);
  }
  while (i < length && row[i] != value) ++i;
  return i;
}

/// Below this distance from the largest logit the softmax is no longer a normal number, so that
/// classes may tie there whatever their logits.
constexpr double denormal_distance = -680;
/// Below this one the softmax is 0.
constexpr double zero_distance = -746;

template <class T>
HWY_INLINE void look_closer(const KernelRows<T>& rows, const T* HWY_RESTRICT row, std::size_t i,
                            T own, T threshold, double largest, const KernelFindings& findings) {
  if (rows.is_logits && static_cast<double>(own) - largest < denormal_distance) {
    threshold = round_up<T>(largest + zero_distance);
  }
  const std::size_t length = rows.class_count;
  std::uint64_t* marks = findings.marks + i * findings.words;
  for (std::size_t word = 0; word < findings.words; ++word) {
    const std::size_t begin = word * 64;
    const std::size_t end = begin + 64 < length ? begin + 64 : length;
    marks[word] |= bits_at(row, begin, end, threshold);
  }
  findings.touched[i] = 1;
  const std::size_t best = find_first(row, length, static_cast<T>(largest));
  findings.predicted[i] = static_cast<std::int32_t>(best < length ? best : 0);
}

template <class T>
HWY_INLINE void judge(const KernelRows<T>& rows, const KernelFindings& findings) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const T* HWY_RESTRICT row = rows.data + static_cast<std::ptrdiff_t>(i) * rows.stride;
    const T own = row[rows.truth[i]];
    const T threshold = rival_threshold(own, rows.is_logits, rows.model_count);
    const Survey survey = survey_row(row, rows.class_count, threshold);
    const bool is_sound =
        rows.is_logits ? std::isfinite(survey.sum)
                       : survey.smallest >= 0 && std::abs(survey.sum - 1) <= rows.sure_tolerance;
    findings.doubtful[i] = is_sound ? 0 : 1;
    findings.predicted[i] = rows.truth[i];
    if (survey.at_threshold == 1 && own >= threshold) continue;
    look_closer(rows, row, i, own, threshold, survey.largest, findings);
  }
}

void judge_floats(const KernelRows<float>& rows, const KernelFindings& findings) {
  judge(rows, findings);
}

void judge_doubles(const KernelRows<double>& rows, const KernelFindings& findings) {
  judge(rows, findings);
}

void widen_halves(const std::uint16_t* HWY_RESTRICT halves, std::size_t count,
                  float* HWY_RESTRICT out) {
  // As float_from_half(); Highway's own conversion gives other bits for infinity on some targets.
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint16_t, decltype(d)> d16;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::PromoteTo(du, hn::LoadU(d16, halves + i));
    const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7FFFu)));
    const auto finite = hn::BitCast(du, hn::Mul(hn::BitCast(d, magnitude), hn::Set(d, 0x1p112f)));
    const auto endless = hn::Or(magnitude, hn::Set(du, 0x70000000u));
    const auto is_finite = hn::Lt(hn::BitCast(hn::RebindToSigned<decltype(d)>(), magnitude),
                                  hn::Set(hn::RebindToSigned<decltype(d)>(), 0x0F800000));
    const auto value = hn::IfThenElse(hn::RebindMask(du, is_finite), finite, endless);
    hn::StoreU(hn::BitCast(d, hn::Or(value, sign)), d, out + i);
  }
  for (; i < count; ++i) out[i] = float_from_half(halves[i]);
}

void widen_bfloat16(const std::uint16_t* HWY_RESTRICT values, std::size_t count,
                    float* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = float_from_bfloat16(values[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(judge_floats);
HWY_EXPORT(judge_doubles);
HWY_EXPORT(widen_halves);
HWY_EXPORT(widen_bfloat16);

void run_kernel(const KernelRows<float>& rows, const KernelFindings& findings) {
  HWY_DYNAMIC_DISPATCH(judge_floats)(rows, findings);
}

void run_kernel(const KernelRows<double>& rows, const KernelFindings& findings) {
  HWY_DYNAMIC_DISPATCH(judge_doubles)(rows, findings);
}

void convert_halves(const std::uint16_t* halves, std::size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(widen_halves)(halves, count, out);
}

void convert_bfloat16(const std::uint16_t* values, std::size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(widen_bfloat16)(values, count, out);
}

}  // namespace hqe
#endif  // HWY_ONCE
