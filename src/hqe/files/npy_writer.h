// SPDX-License-Identifier: MIT
/// Writes .npy files piece by piece, in C order and this machine's byte order; they appear whole or
/// not at all.

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hqe/files/atomic_file.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// The DType of a C++ number.
template <typename Number>
[[nodiscard]] constexpr DType dtype_of() {
  static_assert(std::is_arithmetic_v<Number> && sizeof(Number) <= 8);
  if constexpr (std::is_same_v<Number, bool>) {
    return DType::boolean;
  } else if constexpr (std::is_floating_point_v<Number>) {
    return sizeof(Number) == 4 ? DType::float32 : DType::float64;
  } else {
    constexpr int width = sizeof(Number) == 1   ? 0
                          : sizeof(Number) == 2 ? 1
                          : sizeof(Number) == 4 ? 2
                                                : 3;
    const DType first = std::is_signed_v<Number> ? DType::int8 : DType::uint8;
    return static_cast<DType>(static_cast<int>(first) + width);
  }
}

/// A .npy file in the making. write() any number of elements at a time; commit() checks that they
/// are as many as the shape promises (std::logic_error otherwise) and makes the file visible.
/// Throws OutputError where the file cannot be written, and what `check` throws (atomic_file.h).
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& path, DType dtype, const std::vector<std::int64_t>& shape,
            WriteCheck check = {});

  template <typename Number>
  void write(std::span<const Number> numbers) {
    write_bytes({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()},
                dtype_of<Number>());
  }
  void commit();

 private:
  void write_bytes(std::string_view bytes, DType dtype);

  AtomicFile file_;
  DType dtype_;
  std::uint64_t missing_;  ///< Bytes still to come.
};

/// The header of a .npy file, padded so that the numbers after it are aligned to 64 bytes.
[[nodiscard]] std::string npy_header(DType dtype, const std::vector<std::int64_t>& shape);

}  // namespace hqe
