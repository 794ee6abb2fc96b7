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
inline constexpr std::size_t batch_size = 8;

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
