// SPDX-License-Identifier: MIT
/// The inner loops over open patterns, on the active SIMD target. Private to evaluation/.
///
/// Every column is as long as a multiple of open_padding.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hqe {

/// Whole vectors of every SIMD width.
inline constexpr std::size_t open_padding = 16;

/// The largest and smallest margins seen of each row, and the second ones.
struct Extremes {
  std::int32_t *most, *second_most, *least, *second_least;
};

/// Takes one more model's margins. `has_second`: two models or more were taken before; else the
/// second ones are set. Requires: one was taken.
void widen(const Extremes& extremes, const std::int32_t* margins, bool has_second,
           std::size_t rows);

/// high = most + others * second_most, and so for the least.
void write_reach(const Extremes& extremes, std::int32_t others, std::size_t rows,
                 std::int32_t* high, std::int32_t* low);

/// Samples of the patterns all of whose rivals' sums are above each of two limits.
struct Above {
  std::uint64_t first = 0, second = 0;
};
/// Patterns with equally many rivals: row r of pattern i is r * count + i. `more` may be null.
struct OpenColumns {
  const std::uint32_t* weights = nullptr;
  std::size_t count = 0, rivals = 0;
  const std::int32_t *sums = nullptr, *added = nullptr, *more = nullptr;
};
[[nodiscard]] Above count_above(const OpenColumns& columns, std::int32_t first_limit,
                                std::int32_t second_limit);

/// What is left of patterns of one rival: writes the places of those that stay open, and adds up
/// the samples of those that are won.
struct OneRivalColumns {
  const std::uint32_t* weights = nullptr;
  std::size_t count = 0;
  const std::int32_t *sums = nullptr, *added = nullptr, *high = nullptr, *low = nullptr;
};
struct StillOpen {
  std::size_t count = 0;
  std::uint64_t won = 0;
};
/// Requires: `places` has room for count + open_padding.
[[nodiscard]] StillOpen find_open(const OneRivalColumns& columns, std::int32_t lost,
                                  std::int32_t sure, std::uint32_t* places);

/// How many patterns of one rival stay open.
[[nodiscard]] std::size_t count_open(const OneRivalColumns& columns, std::int32_t lost,
                                     std::int32_t sure);

/// Samples of the patterns of one rival whose sums with each of these margins, the last member's,
/// are above `lost`; `high` and `low` are not looked at. Requires: as many answers as margins.
void count_not_lost(const OneRivalColumns& columns, std::span<const std::int32_t* const> last,
                    std::int32_t lost, std::span<std::uint64_t> not_lost);

/// to[i] = from[places[i]].
void gather(const std::int32_t* from, const std::uint32_t* places, std::size_t count,
            std::int32_t* to);

}  // namespace hqe
