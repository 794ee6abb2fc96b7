// SPDX-License-Identifier: MIT
/// Somebody else's numbers, where they lie: a mapped file, a NumPy array, a tensor. Never copied.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/predictions/witness.h"

namespace hqe {

enum class DType : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
};

/// Bytes of one element.
[[nodiscard]] std::size_t size_of(DType dtype);
[[nodiscard]] std::string_view to_string(DType dtype);
[[nodiscard]] bool is_float(DType dtype);

/// The bytes of a dense array of that shape; nothing where they exceed 2^63 - 1.
[[nodiscard]] std::optional<std::int64_t> dense_size(const std::vector<std::int64_t>& shape,
                                                     DType dtype);

/// "(3, 4)": a shape as Python writes it.
[[nodiscard]] std::string shape_text(std::span<const std::int64_t> shape);

/// A vector or matrix of numbers with any strides and byte order.
///
/// Invariant: every element that `shape` and `strides` reach lies in memory that `owner` keeps
/// alive (or, where `owner` is null, that the caller promised to keep alive). Readers check this;
/// nobody after them does. Elements need not be aligned.
struct Array {
  DType dtype = DType::float32;
  bool byte_swapped = false;                ///< Stored in the order that this machine does not use.
  int rank = 1;                             ///< 1 or 2.
  std::array<std::int64_t, 2> shape{0, 1};  ///< Rows, columns; columns is 1 where rank is 1.
  std::array<std::int64_t, 2> strides{0, 0};  ///< In bytes; may be negative or 0.
  const std::byte* data = nullptr;            ///< Element (0, 0).
  std::shared_ptr<const void> owner{};
  std::shared_ptr<const Witness> witness{};  ///< Null where nobody sees the numbers change.
  /// Where row i lies: at stored row (*row_map)[i]. Null: at i. Rows may repeat, in any order.
  std::shared_ptr<const std::vector<std::int64_t>> row_map{};
  /// Of text labels: what the integers, which are places in it, stand for. Null of numbers.
  std::shared_ptr<const std::vector<std::string>> words{};
  /// Bytes of a row as it was given, where these numbers stand for others; 0: as they are.
  std::size_t given_width = 0;

  [[nodiscard]] std::int64_t rows() const { return shape[0]; }
  [[nodiscard]] std::int64_t columns() const { return shape[1]; }
  [[nodiscard]] std::size_t row_bytes_as_given() const {
    return given_width != 0 ? given_width : size_of(dtype) * static_cast<std::size_t>(columns());
  }
  /// The number that `row` has where it is stored, as a message should name it.
  [[nodiscard]] std::int64_t stored_row(std::int64_t row) const {
    return row_map ? (*row_map)[static_cast<std::size_t>(row)] : row;
  }
};

/// Row `row` as doubles, exactly. Requires: out.size() == columns().
void read_row(const Array& array, std::int64_t row, std::span<double> out);

/// One element as a double, exactly (64-bit integers beyond 2^53 excepted).
[[nodiscard]] double read_number(const Array& array, std::int64_t row, std::int64_t column = 0);

/// One element of an integer or boolean array; a uint64 above the largest int64 becomes that.
/// Requires: !is_float(array.dtype).
[[nodiscard]] std::int64_t read_integer(const Array& array, std::int64_t row,
                                        std::int64_t column = 0);

/// The value of the 16 bits of an IEEE half, of a bfloat16.
[[nodiscard]] float float_from_half(std::uint16_t bits);
[[nodiscard]] float float_from_bfloat16(std::uint16_t bits);

}  // namespace hqe
