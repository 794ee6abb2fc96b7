// SPDX-License-Identifier: MIT
/// From what a header claims to an Array that keeps its invariant: the only place that makes
/// Arrays over files.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hqe/files/mapped_file.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// What a header says of an array. Nothing in it has been checked.
struct ArrayClaim {
  DType dtype = DType::float32;
  bool byte_swapped = false;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  ///< In elements, one a dimension.
  std::int64_t offset = 0;            ///< Bytes from the start of the file to element (0, 0).
};

/// Strides of a dense array in C order, or in Fortran order. Overflow wraps to a stride that
/// array_in_file() refuses.
[[nodiscard]] std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& shape,
                                                      bool fortran_order);

/// The claimed array in `bytes`, if every element it reaches lies inside them and it is a vector or
/// matrix with at least one element, at most 2^31 rows and fewer than 2^31 columns. Strides may be
/// zero, negative or make elements overlap, but not so that a small file claims a huge array.
/// Throws InputError; `place` says where in the file.
[[nodiscard]] Array array_in_file(const FileBytes& bytes, const ArrayClaim& claim,
                                  const std::string& place = "");

/// Throws InputError where an array of that shape has more bytes than `available` and more than
/// 2^24 elements: so many numbers can come from so few bytes only by repeating them.
void check_not_bloated(const std::string& file, const std::string& place,
                       const std::vector<std::int64_t>& shape, DType dtype,
                       std::uint64_t available);

}  // namespace hqe
