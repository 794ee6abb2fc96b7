// SPDX-License-Identifier: MIT
/// Arrays for tests: any numbers in any element type and layout.

#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hqe/predictions/array.h"
#include "hqe/predictions/pool.h"

namespace hqe::testing {

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// How the elements of an array lie in memory.
enum class Layout { plain, swapped, transposed, gaps, backwards, unaligned };
inline constexpr Layout all_layouts[] = {Layout::plain, Layout::swapped,   Layout::transposed,
                                         Layout::gaps,  Layout::backwards, Layout::unaligned};

/// The nearest half, ties to even; halves of denormal size are supported.
inline std::uint16_t half_from_double(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00);
  value = std::abs(value);
  if (value >= 65520) return static_cast<std::uint16_t>(sign | 0x7C00);
  const int exponent = std::max(value == 0 ? -14 : std::ilogb(value), -14);
  const double steps = std::nearbyint(std::ldexp(value, 10 - exponent));
  // A full mantissa carries into the exponent by itself.
  return static_cast<std::uint16_t>(sign | (((exponent + 14) << 10) + static_cast<int>(steps)));
}

inline std::uint16_t bfloat16_from_double(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

/// Writes `value` as one element.
inline void store(std::byte* at, DType dtype, double value) {
  const auto put = [at](auto element) { std::memcpy(at, &element, sizeof element); };
  switch (dtype) {
    case DType::boolean:
      return put(static_cast<std::uint8_t>(value != 0));
    case DType::int8:
      return put(static_cast<std::int8_t>(value));
    case DType::int16:
      return put(static_cast<std::int16_t>(value));
    case DType::int32:
      return put(static_cast<std::int32_t>(value));
    case DType::int64:
      return put(static_cast<std::int64_t>(value));
    case DType::uint8:
      return put(static_cast<std::uint8_t>(value));
    case DType::uint16:
      return put(static_cast<std::uint16_t>(value));
    case DType::uint32:
      return put(static_cast<std::uint32_t>(value));
    case DType::uint64:
      return put(static_cast<std::uint64_t>(value));
    case DType::float16:
      return put(half_from_double(value));
    case DType::bfloat16:
      return put(bfloat16_from_double(value));
    case DType::float32:
      return put(static_cast<float>(value));
    case DType::float64:
      return put(value);
  }
}

/// A matrix of `values` (row by row) in memory of its own, which the array keeps alive.
inline Array matrix(std::int64_t rows, std::int64_t columns, const std::vector<double>& values,
                    DType dtype = DType::float32, Layout layout = Layout::plain) {
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  Array array{
      .dtype = dtype, .rank = 2, .shape = {rows, columns}, .strides = {columns * size, size}};
  std::int64_t start = 0;
  if (layout == Layout::transposed) array.strides = {size, rows * size};
  if (layout == Layout::gaps) array.strides = {(2 * columns + 1) * size, 2 * size};
  if (layout == Layout::unaligned) start = 1;
  if (layout == Layout::backwards) {
    array.strides = {-columns * size, -size};
    start = (rows * columns - 1) * size;
  }
  const auto bytes = static_cast<std::size_t>((2 * columns + 1) * rows * size + 1);
  const auto owner = std::make_shared<std::vector<std::byte>>(bytes);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      std::byte* at = owner->data() + start + row * array.strides[0] + column * array.strides[1];
      store(at, dtype, values[static_cast<std::size_t>(row * columns + column)]);
      if (layout == Layout::swapped) std::reverse(at, at + size);
    }
  }
  array.byte_swapped = layout == Layout::swapped;
  array.data = owner->data() + start;
  array.owner = owner;
  return array;
}

/// A column of integers.
inline Array vector(const std::vector<double>& values, DType dtype = DType::int32,
                    Layout layout = Layout::plain) {
  Array array = matrix(static_cast<std::int64_t>(values.size()), 1, values, dtype, layout);
  array.rank = 1;
  return array;
}

inline Model model(std::string name, Array predictions) {
  return {.name = name, .predictions = std::move(predictions), .file = name + ".npy"};
}

}  // namespace hqe::testing
