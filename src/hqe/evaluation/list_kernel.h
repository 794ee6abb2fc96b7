// SPDX-License-Identifier: MIT
/// The inner loops of counting teams, on the active SIMD target. Private to evaluation/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/evaluation/contest_data.h"

namespace hqe {

/// Consecutive groups whose margins stay in the cache while many teams are counted.
struct GroupRange {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t row(const Contests::Data& data) const { return data.groups[first].row; }
  [[nodiscard]] std::size_t rows(const Contests::Data& data) const {
    return data.groups[last - 1].row + data.groups[last - 1].rivals - row(data);
  }
  /// The kernels count groups in 16-bit lanes.
  static constexpr std::size_t most_groups = 1 << 14;
};

/// A team too close to call on a pattern.
struct Doubt {
  std::size_t team = 0;  ///< Its place in `last_members`.
  std::size_t pattern = 0;
};

/// sums[i] = before[i] + the margin of `model`, over the rows of `range`.
void add_member(const Contests::Data& data, const MarginTable<std::int16_t>& table,
                GroupRange range, std::size_t model, const std::int16_t* before,
                std::int16_t* sums);
void add_member(const Contests::Data& data, const MarginTable<std::int32_t>& table,
                GroupRange range, std::size_t model, const std::int32_t* before,
                std::int32_t* sums);

/// Adds to right[i] the samples of `range` that the team of `sums` and last_members[i] is surely
/// right on, and to `doubts` the patterns in doubt. Deterministic for every target.
void count_right(const Contests::Data& data, const MarginTable<std::int16_t>& table,
                 GroupRange range, const std::int16_t* sums, std::span<const ModelId> last_members,
                 std::span<std::uint64_t> right, std::vector<Doubt>& doubts);
void count_right(const Contests::Data& data, const MarginTable<std::int32_t>& table,
                 GroupRange range, const std::int32_t* sums, std::span<const ModelId> last_members,
                 std::span<std::uint64_t> right, std::vector<Doubt>& doubts);

/// Sets the bits of `right` of the patterns of `range` that the team is surely right on, those that
/// fill the last group included, and adds the patterns in doubt to `doubts`, for a team 0.
/// Requires: a bit of `right` for each pattern of each group, all of them 0.
void find_right(const Contests::Data& data, GroupRange range, TeamView team,
                std::span<std::uint64_t> right, std::vector<Doubt>& doubts);

/// The smallest of the team's sums on each pattern, those that fill the last group included.
/// Requires: `smallest` has group_size places a group and starts on a cache line.
void find_smallest_sums(const Contests::Data& data, TeamView team,
                        std::span<std::int32_t> smallest);

}  // namespace hqe
