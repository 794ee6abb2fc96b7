// SPDX-License-Identifier: MIT
#include "hqe/scan/score_rows.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "hqe/predictions/copied_rows.h"
#include "hqe/predictions/detect.h"
#include "hqe/predictions/element.h"
#include "hqe/scan/score_kernel.h"

namespace hqe {
namespace {

template <class T>
KernelRows<T> kernel_rows(const ScoreRows& rows, std::vector<T>& scratch) {
  KernelRows<T> kernel;
  scratch.resize(kernel_scratch(static_cast<std::size_t>(rows.array->columns())));
  kernel.scratch = scratch.data();
  kernel.count = rows.truth.size();
  kernel.class_count = static_cast<std::size_t>(rows.array->columns());
  kernel.truth = rows.truth.data();
  kernel.is_logits = rows.kind == Kind::logits;
  kernel.model_count = rows.model_count;
  kernel.sure_tolerance = row_sum_tolerance(rows.array->dtype) - kernel_sum_error;
  return kernel;
}

/// Whether the kernels can read the rows where they lie.
template <class T>
bool lies_ready(const Array& array) {
  const auto size = static_cast<std::int64_t>(sizeof(T));
  return !array.byte_swapped && array.strides[1] == size && array.strides[0] % size == 0 &&
         reinterpret_cast<std::uintptr_t>(array.data) % sizeof(T) == 0;
}

/// Copies rows into `out`, one after the other, with elements of type T of the array as To.
template <class T, class To>
void gather_rows(const ScoreRows& rows, std::vector<To>& out) {
  const Array& array = *rows.array;
  const auto columns = static_cast<std::size_t>(array.columns());
  const auto copy = [&](std::size_t row, std::size_t column) {
    const std::byte* at = element::address(array, static_cast<std::int64_t>(rows.first + row),
                                           static_cast<std::int64_t>(column));
    out[row * columns + column] = element::load<T>(at, array.byte_swapped);
  };
  // Along the shorter stride, so that each cache line is read once.
  if (std::abs(array.strides[0]) < std::abs(array.strides[1])) {
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t row = 0; row < rows.truth.size(); ++row) copy(row, column);
    }
  } else {
    for (std::size_t row = 0; row < rows.truth.size(); ++row) {
      for (std::size_t column = 0; column < columns; ++column) copy(row, column);
    }
  }
}

template <class T>
void survey_in_place(const ScoreRows& rows, const KernelFindings& findings,
                     std::vector<T>& scratch) {
  KernelRows<T> kernel = kernel_rows<T>(rows, scratch);
  kernel.stride = rows.array->strides[0] / static_cast<std::int64_t>(sizeof(T));
  kernel.data = reinterpret_cast<const T*>(rows.array->data);
  if (rows.array->row_map) {
    kernel.row_map = rows.array->row_map->data() + rows.first;
  } else {
    kernel.data += static_cast<std::ptrdiff_t>(rows.first) * kernel.stride;
  }
  run_kernel(kernel, findings);
}

template <class T>
void survey_copy(const ScoreRows& rows, const std::vector<T>& copy, const KernelFindings& findings,
                 std::vector<T>& scratch) {
  KernelRows<T> kernel = kernel_rows<T>(rows, scratch);
  kernel.stride = static_cast<std::ptrdiff_t>(kernel.class_count);
  kernel.data = copy.data();
  run_kernel(kernel, findings);
}

using Converter = void (*)(const std::uint16_t*, std::size_t, float*);

/// Half-size floats that lie ready, row by row as floats.
void convert_rows(const ScoreRows& rows, Converter convert, std::vector<float>& out) {
  const auto columns = static_cast<std::size_t>(rows.array->columns());
  for (std::size_t row = 0; row < rows.truth.size(); ++row) {
    const std::byte* at =
        element::address(*rows.array, static_cast<std::int64_t>(rows.first + row), 0);
    convert(reinterpret_cast<const std::uint16_t*>(at), columns, out.data() + row * columns);
  }
}

/// Copies what the kernels cannot read where it lies: other types, strides and byte orders.
void copy_to_floats(const ScoreRows& rows, std::vector<float>& out) {
  const Array& array = *rows.array;
  const bool is_ready = lies_ready<std::uint16_t>(array);
  switch (array.dtype) {
    case DType::float16:
      return is_ready ? convert_rows(rows, convert_halves, out)
                      : gather_rows<element::Half>(rows, out);
    case DType::bfloat16:
      return is_ready ? convert_rows(rows, convert_bfloat16, out)
                      : gather_rows<element::BFloat16>(rows, out);
    default:
      return gather_rows<float>(rows, out);
  }
}

void survey_anywhere(const ScoreRows& rows, const KernelFindings& findings, ScoreScratch& scratch) {
  const Array& array = *rows.array;
  const std::size_t values = rows.truth.size() * static_cast<std::size_t>(array.columns());
  if (array.dtype == DType::float64) {
    if (lies_ready<double>(array)) return survey_in_place(rows, findings, scratch.double_groups);
    scratch.doubles.resize(values);
    gather_rows<double>(rows, scratch.doubles);
    return survey_copy(rows, scratch.doubles, findings, scratch.double_groups);
  }
  if (array.dtype == DType::float32 && lies_ready<float>(array)) {
    return survey_in_place(rows, findings, scratch.float_groups);
  }
  scratch.floats.resize(values);
  copy_to_floats(rows, scratch.floats);
  survey_copy(rows, scratch.floats, findings, scratch.float_groups);
}

}  // namespace

void RivalMarks::reset(std::size_t samples, int class_count) {
  words_ = (static_cast<std::size_t>(class_count) + 63) / 64;
  bits_.assign(samples * words_, 0);
  touched_.assign(samples, 0);
}

KernelFindings RivalMarks::findings() {
  return {.marks = bits_.data(), .words = words_, .touched = touched_.data()};
}

void RivalMarks::append_to(std::vector<std::int32_t>& rivals,
                           std::vector<std::uint32_t>& rival_begin,
                           std::span<const std::int32_t> truth) const {
  for (std::size_t sample = 0; sample < truth.size(); ++sample) {
    if (touched_[sample] != 0) {
      for (std::size_t word = 0; word < words_; ++word) {
        for (std::uint64_t bits = bits_[sample * words_ + word]; bits != 0; bits &= bits - 1) {
          const auto label = static_cast<std::int32_t>(word * 64) + std::countr_zero(bits);
          if (label != truth[sample]) rivals.push_back(label);
        }
      }
    }
    rival_begin.push_back(static_cast<std::uint32_t>(rivals.size()));
  }
}

std::size_t samples_a_run(int class_count) {
  constexpr std::size_t mark_words = std::size_t{1} << 12;
  const std::size_t words = (static_cast<std::size_t>(class_count) + 63) / 64;
  return std::max<std::size_t>(mark_words / words, 1);
}

bool read_ready_shares(const Array& array, std::int64_t row, std::span<double> out) {
  if (array.dtype != DType::float32 || !lies_ready<float>(array)) return false;
  if (lender_of_rows(array) != nullptr) return false;
  const std::byte* const values = element::address(array, row, 0);
  convert_shares(reinterpret_cast<const float*>(values), out.size(), out.data());
  return true;
}

void survey_rows(const ScoreRows& rows, std::span<std::int32_t> predicted, RivalMarks& marks,
                 std::vector<std::uint32_t>& doubtful, ScoreScratch& scratch) {
  scratch.doubtful.resize(rows.truth.size());
  KernelFindings findings = marks.findings();
  findings.predicted = predicted.data();
  findings.doubtful = scratch.doubtful.data();
  if (!rows.likeliest.empty()) findings.likeliest = rows.likeliest.data();
  survey_anywhere(rows, findings, scratch);
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    if (scratch.doubtful[i] != 0) doubtful.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace hqe
