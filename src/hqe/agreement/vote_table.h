// SPDX-License-Identifier: MIT
/// Who votes for what on each pattern, where every vote counts the same.

#pragma once

#include <cstddef>
#include <cstdint>

#include "hqe/bits/cache_line.h"

namespace hqe {

/// A pattern is a distinct way in which the models of a pool vote on a sample. Rivals, the wrong
/// classes that got votes, are numbered from first_rival on; an odd one is a class above the true
/// one, which wins ties against it.
struct VoteTable {
  static constexpr std::int16_t not_voting = 0;
  static constexpr std::int16_t voting_right = 1;
  static constexpr std::int16_t first_rival = 2;

  std::size_t stride = 0;  ///< Patterns, and what fills the last SIMD vectors.
  bool complete = false;   ///< There is a table, and every model votes on every pattern.
  CacheLineVector<std::int16_t> votes;  ///< [model][pattern].

  [[nodiscard]] const std::int16_t* of(std::size_t model) const {
    return votes.data() + model * stride;
  }
};

}  // namespace hqe
