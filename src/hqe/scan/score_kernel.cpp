// SPDX-License-Identifier: MIT
#include "hqe/scan/score_kernel.h"

#include <bit>
#include <cmath>
#include <limits>

#include "hqe/scan/rival_threshold.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/scan/score_kernel.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h:
#include "hqe/scan/likeliest-inl.h"
#include "hqe/scan/long_rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A row and its true class.
template <class T>
struct RowAt {
  HWY_INLINE RowAt(const KernelRows<T>& rows, std::size_t i)
      : data(rows.data + (rows.row_map == nullptr ? static_cast<std::ptrdiff_t>(i)
                                                  : static_cast<std::ptrdiff_t>(rows.row_map[i])) *
                             rows.stride),
        truth(static_cast<std::size_t>(rows.truth[i])) {}

  const T* HWY_RESTRICT data;
  std::size_t truth;
};

template <class T>
HWY_INLINE bool is_sound(const KernelRows<T>& rows, double sum, bool has_negative) {
  return rows.is_logits ? std::isfinite(sum)
                        : !has_negative && std::abs(sum - 1) <= rows.sure_tolerance;
}

template <class T>
HWY_INLINE void survey_long_rows(const KernelRows<T>& rows, const KernelFindings& findings) {
  const auto lane_numbers = hn::Iota(typename Others<T>::DIndex(), 0);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const RowAt<T> row(rows, i);
    const Survey survey = survey_row(row.data, rows.class_count, row.truth,
                                     Others<T>(row.data, row.truth, lane_numbers), rows.scratch);
    findings.doubtful[i] = is_sound(rows, survey.sum, survey.has_negative) ? 0 : 1;
    if (findings.likeliest != nullptr) {
      find_likeliest(row.data, rows.class_count, row.truth, rows.scratch,
                     findings.likeliest + i * Block::likely_count);
    }
    findings.predicted[i] = rows.truth[i];
    const T own = row.data[row.truth];
    const T best_other = static_cast<T>(survey.best_other);
    const T threshold = rival_threshold(own, rows.is_logits, rows.model_count);
    if (best_other < threshold) continue;
    const std::size_t first = mark_row(row.data, rows.class_count, rows.scratch,
                                       mark_threshold(rows.is_logits, own, best_other, threshold),
                                       best_other, findings.marks + i * findings.words);
    findings.touched[i] = 1;
    const bool is_other = best_other > own || (best_other == own && first < row.truth);
    if (is_other && first < rows.class_count) {
      findings.predicted[i] = static_cast<std::int32_t>(first);
    }
  }
}

/// Rows of one to two vectors of `d`, the second of which begins within the first: nothing is left
/// over, and no branch depends on the values, which no predictor would know. False, and nothing is
/// done, where the rows are shorter or longer.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE bool survey_short_rows(D d, KernelRows<T> rows, KernelFindings findings) {
  const std::size_t length = rows.class_count;
  if (length < hn::Lanes(d) || length > 2 * hn::Lanes(d)) return false;
  const hn::RebindToSigned<D> di;
  using Index = hn::TFromD<decltype(di)>;
  const std::size_t second = length - hn::Lanes(d);
  const auto nothing = hn::Set(d, -std::numeric_limits<T>::infinity());
  const auto classes0 = hn::Iota(di, 0);
  const auto classes1 = hn::Add(classes0, hn::Set(di, static_cast<Index>(second)));
  const auto lanes = hn::Set(di, static_cast<Index>(hn::Lanes(d)));
  const auto is_repeated = hn::RebindMask(d, hn::Lt(classes1, lanes));
  for (std::size_t i = 0; i < rows.count; ++i) {
    const RowAt<T> row(rows, i);
    const auto v0 = hn::LoadU(d, row.data);
    const auto v1 = hn::LoadU(d, row.data + second);
    const auto truth = hn::Set(di, static_cast<Index>(row.truth));
    const auto others0 = hn::IfThenElse(hn::RebindMask(d, hn::Eq(classes0, truth)), nothing, v0);
    const auto others1 = hn::IfThenElse(hn::RebindMask(d, hn::Eq(classes1, truth)), nothing, v1);
    const auto best = hn::MaxOfLanes(d, hn::Max(others0, others1));
    const auto sum = hn::SumOfLanes(d, hn::Add(v0, hn::IfThenZeroElse(is_repeated, v1)));
    const bool has_negative =
        !hn::AllFalse(di, hn::Lt(hn::BitCast(di, hn::Or(v0, v1)), hn::Zero(di)));
    const bool sound = is_sound(rows, static_cast<double>(hn::GetLane(sum)), has_negative);
    findings.doubtful[i] = sound ? 0 : 1;

    const T own = row.data[row.truth];
    const T best_other = hn::GetLane(best);
    const T reached = rival_threshold(own, rows.is_logits, rows.model_count);
    const bool is_touched = !(best_other < reached);
    const auto limit = hn::Set(d, mark_threshold(rows.is_logits, own, best_other, reached));
    const std::uint64_t marks = mask_bits(d, hn::Ge(v0, limit)) | mask_bits(d, hn::Ge(v1, limit))
                                                                      << second;
    const std::uint64_t at_best =
        mask_bits(d, hn::Eq(others0, best)) | mask_bits(d, hn::Eq(others1, best)) << second;
    findings.marks[i * findings.words] |= marks & -std::uint64_t{is_touched};
    findings.touched[i] = static_cast<char>(findings.touched[i] | (is_touched ? 1 : 0));
    const auto first = static_cast<std::size_t>(std::countr_zero(at_best));
    const bool is_other = (best_other > own) | ((best_other == own) & (first < row.truth));
    const bool is_wrong = is_touched & is_other & (first < length);
    const auto wrong = -std::int32_t{is_wrong};
    findings.predicted[i] = (static_cast<std::int32_t>(first) & wrong) | (rows.truth[i] & ~wrong);
  }
  return true;
}

template <class T>
HWY_INLINE void survey_all(const KernelRows<T>& rows, const KernelFindings& findings) {
  const bool is_short = survey_short_rows(hn::ScalableTag<T>(), rows, findings) ||
                        survey_short_rows(hn::CappedTag<T, 8>(), rows, findings) ||
                        survey_short_rows(hn::CappedTag<T, 4>(), rows, findings) ||
                        survey_short_rows(hn::CappedTag<T, 2>(), rows, findings);
  if (!is_short) return survey_long_rows(rows, findings);
  if (findings.likeliest == nullptr) return;
  for (std::size_t i = 0; i < rows.count; ++i) {
    take_likeliest(RowAt<T>(rows, i).data, rows.class_count,
                   findings.likeliest + i * Block::likely_count);
  }
}

void survey_floats(const KernelRows<float>& rows, const KernelFindings& findings) {
  survey_all(rows, findings);
}

void survey_doubles(const KernelRows<double>& rows, const KernelFindings& findings) {
  survey_all(rows, findings);
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(survey_floats);
HWY_EXPORT(survey_doubles);

void run_kernel(const KernelRows<float>& rows, const KernelFindings& findings) {
  HWY_DYNAMIC_DISPATCH(survey_floats)(rows, findings);
}

void run_kernel(const KernelRows<double>& rows, const KernelFindings& findings) {
  HWY_DYNAMIC_DISPATCH(survey_doubles)(rows, findings);
}

}  // namespace hqe
#endif  // HWY_ONCE
