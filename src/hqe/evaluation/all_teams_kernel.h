// SPDX-License-Identifier: MIT
/// The inner loops of counting all teams at once, on the active SIMD target. Private to
/// evaluation/.
///
/// The models are split in two halves: `low_models` of them make the bits of one 512-bit set, the
/// others are walked through. A team is a low part and a high part. For one rival, sort the sums of
/// the low parts: those that win together with a given high part are the end of that order, so one
/// look-up in a table of 513 sets.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/evaluation/contest_data.h"

namespace hqe {

inline constexpr int most_low_models = 9;
inline constexpr std::size_t set_words = (std::size_t{1} << most_low_models) / 64;
/// High parts that are treated together; their sets stay in the first-level cache.
inline constexpr int chunk_models = 5;
inline constexpr std::size_t chunk_size = std::size_t{1} << chunk_models;
inline constexpr std::size_t chunk_words = chunk_size * set_words;
/// Patterns that are added to the counters together.
inline constexpr std::size_t batch_size = 8;

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

/// Writes the sets of low parts that surely win against every rival, one a high part of the chunk.
/// Returns the high parts (bit by place) for which some low part is within `doubt` of a tie.
std::uint32_t find_right(std::span<const RivalTable> rivals, std::size_t chunk, std::int32_t doubt,
                         std::uint64_t* sets);

/// For one high part: the low parts that surely win against every rival, and those that may.
struct Certainty {
  std::array<std::uint64_t, set_words> surely, maybe;
};
[[nodiscard]] Certainty find_doubtful(std::span<const RivalTable> rivals, std::size_t chunk,
                                      std::size_t place, std::int32_t doubt);

/// Adds one to the counter of each bit: `planes` holds a chunk's counters, bit l of all of them in
/// planes[l * chunk_words ...]. `sets` are batch_size times chunk_words words. Counters must have
/// room.
void count_batch(const std::uint64_t* sets, std::uint64_t* planes);

/// The same for one chunk of sets, 2^level at a time.
void count_sets(const std::uint64_t* sets, int level, std::uint64_t* planes);

/// Adds a chunk's counters to `counts`, 2^low of each high part.
void add_counters(const std::uint64_t* planes, int levels, const Halves& halves,
                  std::uint32_t* counts);

}  // namespace hqe
