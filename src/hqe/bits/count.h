// SPDX-License-Identifier: MIT
/// Counting verbs over rows of bits, 64 a word, and over small integers. Written once, compiled for
/// every target, chosen at run time (target.h); the scalar target is the definition, and every
/// other gives the same numbers. Safe to call from several threads.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hqe {

/// Ones in `a`.
[[nodiscard]] std::uint64_t count(std::span<const std::uint64_t> a);

/// Ones in a & b, and in a & b & c. Requires: equal lengths.
[[nodiscard]] std::uint64_t count_and(std::span<const std::uint64_t> a,
                                      std::span<const std::uint64_t> b);
[[nodiscard]] std::uint64_t count_and(std::span<const std::uint64_t> a,
                                      std::span<const std::uint64_t> b,
                                      std::span<const std::uint64_t> c);

/// Columns of bits side by side: word w of column m is words[w * pitch + m]. Vectors run across the
/// columns, so a column may have any length without a tail.
///
/// Requires: column_slack words after the last one may be read.
struct BitColumns {
  const std::uint64_t* words = nullptr;
  std::size_t pitch = 0;
  static constexpr std::size_t column_slack = 64;
};

/// Adds the ones in row & column m to counts[m - begin], for the columns m in [begin, end). Length
/// of every column: row.size(). Requires: counts.size() == end - begin; no count leaves 32 bits.
void count_and_each(std::span<const std::uint64_t> row, const BitColumns& columns,
                    std::size_t begin, std::size_t end, std::span<std::uint32_t> counts);

/// Bit i % 64 of out[i / 64 * stride] tells whether a[i] != b[i]; bits after the last are 0.
/// Requires: equal lengths.
void differing_bits(std::span<const std::int32_t> a, std::span<const std::int32_t> b,
                    std::uint64_t* out, std::size_t stride = 1);

/// sum_i a[i] b[i]. Requires: equal lengths; the sum fits 64 bits.
[[nodiscard]] std::uint64_t sum_of_products(std::span<const std::uint32_t> a,
                                            std::span<const std::uint32_t> b);

}  // namespace hqe
