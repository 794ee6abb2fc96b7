// SPDX-License-Identifier: MIT
/// The inner loops of counting all teams at once, on the active SIMD target. Private to
/// evaluation/.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hqe/evaluation/rival_table.h"

namespace hqe {

/// Patterns that are added to the counters together.
inline constexpr std::size_t batch_size = 128;

/// For each high part of a chunk: the sets of low parts that are right, a pattern each, of the
/// patterns on which some low parts are right and some are not.
struct alignas(64) SetLists {
  std::uint64_t sets[chunk_size][batch_size][set_words];
  std::uint32_t counts[chunk_size];
};

/// What one pattern decides about a chunk: bits are high parts.
struct ChunkAnswer {
  std::uint64_t right = 0;  ///< Right with every low part.
  std::uint64_t open = 0;   ///< Right with some: their sets were appended.
  std::uint64_t near = 0;   ///< Of the open ones: some low part is within `doubt` of a tie.
};

/// Appends the sets of low parts that surely win against every rival to the lists of the high
/// parts. `undecided` has room for a word a rival.
ChunkAnswer find_right(std::span<const RivalTable> rivals, std::size_t chunk, std::int32_t doubt,
                       std::uint64_t places, SetLists& lists, std::uint64_t* undecided);

/// For one high part: the low parts that surely win against every rival, and those that may.
struct Certainty {
  std::array<std::uint64_t, set_words> surely, maybe;
};
[[nodiscard]] Certainty find_doubtful(std::span<const RivalTable> rivals, std::size_t chunk,
                                      std::size_t place, std::int32_t doubt);

/// Adds one to the counter of each bit of each set: `planes` holds a chunk's counters, bit l of
/// those of a high part in planes[(place * levels + l) * set_words ...]. Counters must have room.
/// Empty sets are appended where a list wants them.
void count_lists(SetLists& lists, std::size_t levels, std::uint64_t* planes);

/// The same for one set, and `weight`. `planes` are those of the high part.
void count_set(const std::uint64_t* set, std::uint32_t weight, std::uint64_t* planes);

/// Adds `weight` to the numbers of the places whose bits are set, chunk_size of them.
void add_weight(std::uint64_t places, std::uint32_t weight, std::uint32_t* numbers);

/// Adds a chunk's counters to `counts`, most_low_parts of each high part, of which it has `places`.
void add_counters(const std::uint64_t* planes, std::size_t levels, std::size_t places,
                  std::uint32_t* counts);

}  // namespace hqe
