// SPDX-License-Identifier: MIT
/// The vector loops under score_rows.h. Implemented in score_kernel.cpp and half_kernel.cpp.

#pragma once

#include <cstddef>
#include <cstdint>

namespace hqe {

/// Rows of floats or doubles that lie aligned and in this machine's byte order, each row in one
/// piece.
template <class T>
struct KernelRows {
  const T* data = nullptr;
  std::ptrdiff_t stride = 0;  ///< In elements, from row to row.
  /// Which stored row each row is; null: they lie one after the other.
  const std::int64_t* row_map = nullptr;
  std::size_t count = 0;
  std::size_t class_count = 0;
  const std::int32_t* truth = nullptr;
  bool is_logits = false;
  int model_count = 0;
  /// Probabilities: a row whose sum is further than this from 1 is doubtful.
  double sure_tolerance = 0;
  T* scratch = nullptr;  ///< Room for kernel_scratch(class_count) numbers.
};

/// An eighth of a row, and at least one vector of any target.
[[nodiscard]] constexpr std::size_t kernel_scratch(std::size_t class_count) {
  return class_count / 8 + 64;
}

/// Where the findings go, one entry a row.
struct KernelFindings {
  std::int32_t* predicted = nullptr;
  std::uint64_t* marks = nullptr;  ///< `words` words a row; marked classes are added.
  std::size_t words = 0;
  char* touched = nullptr;   ///< Set to 1 where marks were added; otherwise left.
  char* doubtful = nullptr;  ///< Set to 1 where the row may hold a fault, 0 otherwise.
  /// Takes Block::likely_count labels a row; null: they are not wanted.
  std::int32_t* likeliest = nullptr;
};

/// The most by which the kernels' sums of a row of non-negative numbers near 1 can be wrong.
inline constexpr double kernel_sum_error = 1.5e-4;

void run_kernel(const KernelRows<float>& rows, const KernelFindings& findings);
void run_kernel(const KernelRows<double>& rows, const KernelFindings& findings);

/// The floats of `count` halves or bfloat16 in a row.
void convert_halves(const std::uint16_t* halves, std::size_t count, float* out);
void convert_bfloat16(const std::uint16_t* values, std::size_t count, float* out);

/// as_share() of `count` floats in a row.
void convert_shares(const float* values, std::size_t count, double* out);

}  // namespace hqe
