// SPDX-License-Identifier: MIT
/// Every team of a few models at once, on the active SIMD target. Private to evaluation/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hqe/evaluation/contest_data.h"

namespace hqe {

/// A worker's counters of all 2^M teams, by bit mask, and the memory to fill them.
struct SubsetCounters {
  /// A team too close to call on a pattern.
  struct Doubt {
    std::size_t team = 0;
    std::size_t pattern = 0;
  };

  /// Teams come in eights: what lies beyond 2^M, and the empty team, means nothing.
  std::vector<std::uint32_t> right;
  std::vector<Doubt> doubts;
  CacheLineVector<std::int32_t> sums;

  /// Requires: model_count <= most_models_for_every_team.
  explicit SubsetCounters(int model_count);
};

/// Adds the samples of the groups [first, last) that each team is surely right on, and the patterns
/// in doubt. Deterministic for every target. O(2^M rivals), a few of them a cycle.
void count_subsets(const Contests::Data& data, std::size_t first, std::size_t last,
                   SubsetCounters& counters);

}  // namespace hqe
