// SPDX-License-Identifier: MIT
/// Arrays in memory of their own. Private to predictions/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hqe/predictions/array.h"

namespace hqe {

/// A column of integers.
template <typename Integer>
[[nodiscard]] Array owned_column(std::vector<Integer> values, DType dtype) {
  const auto kept = std::make_shared<const std::vector<Integer>>(std::move(values));
  return {.dtype = dtype,
          .shape = {static_cast<std::int64_t>(kept->size()), 1},
          .strides = {sizeof(Integer), sizeof(Integer)},
          .data = reinterpret_cast<const std::byte*>(kept->data()),
          .owner = kept};
}

/// `label_of(row)` for each row, as narrow as `class_count` classes allow.
template <typename LabelOf>
[[nodiscard]] Array owned_labels(std::int64_t rows, std::size_t class_count, LabelOf label_of) {
  if (class_count <= 127) {
    std::vector<std::int8_t> labels(static_cast<std::size_t>(rows));
    for (std::int64_t row = 0; row < rows; ++row) {
      labels[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(label_of(row));
    }
    return owned_column(std::move(labels), DType::int8);
  }
  std::vector<std::int32_t> labels(static_cast<std::size_t>(rows));
  for (std::int64_t row = 0; row < rows; ++row) {
    labels[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(label_of(row));
  }
  return owned_column(std::move(labels), DType::int32);
}

/// Floats, row by row.
template <typename Float>
[[nodiscard]] Array owned_matrix(std::vector<Float> values, std::int64_t columns) {
  const auto kept = std::make_shared<const std::vector<Float>>(std::move(values));
  const auto size = static_cast<std::int64_t>(sizeof(Float));
  return {.dtype = sizeof(Float) == 8 ? DType::float64 : DType::float32,
          .rank = 2,
          .shape = {static_cast<std::int64_t>(kept->size()) / columns, columns},
          .strides = {size * columns, size},
          .data = reinterpret_cast<const std::byte*>(kept->data()),
          .owner = kept};
}

}  // namespace hqe
