// SPDX-License-Identifier: MIT
/// Whole numbers as file formats store them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hqe {

/// The first `width` bytes as a number, lowest byte first. Requires: width <= 8, bytes.size() >=
/// width.
[[nodiscard]] inline std::uint64_t read_little_endian(std::span<const std::byte> bytes,
                                                      std::size_t width) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width; ++i) {
    number |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  }
  return number;
}

}  // namespace hqe
