// SPDX-License-Identifier: MIT
/// What one rival decides about all teams at once. Private to evaluation/.
///
/// The models are split: `low` of them make the bits of one set, the others are walked through. A
/// team is a low part and a high part. For one rival, sort the sums of the low parts: those that
/// win together with a given high part are the end of that order, so one search and a comparison
/// of their ranks, a byte each. The same holds of the high parts of a chunk and of those that win,
/// or lose, with every low part: most of them do, and need no search.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hqe/evaluation/contests.h"

namespace hqe {

inline constexpr int most_low_models = 8;
inline constexpr std::size_t most_low_parts = std::size_t{1} << most_low_models;
inline constexpr std::size_t set_words = most_low_parts / 64;
/// High parts that are treated together, and a word has a bit for each of.
inline constexpr int chunk_models = 6;
inline constexpr std::size_t chunk_size = std::size_t{1} << chunk_models;
/// How M models are split: low parts, then high parts within a chunk, then chunks.
struct Halves {
  explicit Halves(int model_count);
  int low = 0, inner = 0, outer = 0;
  [[nodiscard]] std::size_t chunk_count() const { return std::size_t{1} << outer; }
  /// Which bits of a chunk's word are high parts.
  [[nodiscard]] std::uint64_t places() const {
    return inner == chunk_models ? ~std::uint64_t{0} : (std::uint64_t{1} << (1 << inner)) - 1;
  }
};

/// Where the smallest sum stands among RivalTable::sums: on a cache line, behind another number.
inline constexpr std::size_t first_sum = 16;

/// A set holds low part p at bit p / set_bytes of byte p % set_bytes, counted from the first word's
/// lowest byte: comparing as many ranks at a time shifts in a bit a byte.
inline constexpr std::size_t set_bytes = set_words * 8;
[[nodiscard]] constexpr std::size_t low_part_of(std::size_t word, std::size_t bit) {
  return bit % 8 * set_bytes + word * 8 + bit / 8;
}

/// What one rival of one pattern decides.
struct alignas(64) RivalTable {
  /// How many sums are before that of a low part in their order, less 128.
  std::int8_t ranks[most_low_parts];
  /// The sorted sums, as a search tree of two levels with sixteen keys a node: the last of each
  /// sixteen sums, and the sums, of which a node beyond the last is above all.
  std::int32_t last_sums[16];
  std::int32_t sums[first_sum + most_low_parts + 16];  ///< Before the smallest: one below all.
  /// The same of the places of a chunk, with eight keys a node.
  std::int32_t last_place_sums[8];
  std::int32_t place_sums[chunk_size + 8];
  std::uint64_t place_sets[chunk_size + 1];
  /// Sums of the high parts: outer[chunk] + inner[place]; outer includes the rival's start.
  std::int32_t inner[chunk_size];
  std::int32_t
      outer[std::size_t{1} << (most_models_for_every_team - most_low_models - chunk_models)];
  std::int32_t least = 0, most = 0;              ///< Sums of low parts.
  std::int32_t least_place = 0, most_place = 0;  ///< Sums of places.
};

/// Fills `table` from one rival's margins, a model each.
void build_table(RivalTable& table, const Halves& halves, std::span<const std::int32_t> margins,
                 std::int32_t start);

}  // namespace hqe
