// SPDX-License-Identifier: MIT
/// What one rival decides about all teams at once. Private to evaluation/.
///
/// The models are split in two halves: `low` of them make the bits of one 512-bit set, the others
/// are walked through. A team is a low part and a high part. For one rival, sort the sums of the
/// low parts: those that win together with a given high part are the end of that order, so one
/// look-up in a table of 513 sets.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hqe {

inline constexpr int most_low_models = 9;
inline constexpr std::size_t set_words = (std::size_t{1} << most_low_models) / 64;
/// High parts that are treated together; their sets stay in the first-level cache.
inline constexpr int chunk_models = 5;
inline constexpr std::size_t chunk_size = std::size_t{1} << chunk_models;
inline constexpr std::size_t chunk_words = chunk_size * set_words;
/// How M models are split: low parts, then high parts within a chunk, then chunks.
struct Halves {
  explicit Halves(int model_count);
  int low = 0, inner = 0, outer = 0;
  [[nodiscard]] std::size_t chunk_count() const { return std::size_t{1} << outer; }
};

/// What one rival of one pattern decides.
struct alignas(64) RivalTable {
  /// sets[i]: the low parts whose sums are not among the i smallest.
  std::uint64_t sets[(std::size_t{1} << most_low_models) + 1][set_words];
  /// The sorted sums, as a search tree of three levels with eight keys a node.
  std::int32_t top[8];
  std::int32_t middle[9 * 8];
  std::int32_t sums[1 + 9 * 9 * 9];  ///< sums[i]: the i-th smallest; sums[0] is below all.
  /// Sums of the high parts: outer[chunk] + inner[place]; outer includes the rival's start.
  std::int32_t inner[chunk_size];
  std::int32_t outer[std::size_t{1} << (24 - most_low_models - chunk_models)];
};

/// Fills `table` from one rival's margins, a model each.
void build_table(RivalTable& table, const Halves& halves, std::span<const std::int32_t> margins,
                 std::int32_t start);

}  // namespace hqe
