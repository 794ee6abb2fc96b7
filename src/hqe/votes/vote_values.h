// SPDX-License-Identifier: MIT
/// What a vote of labels is worth in a sum of margins.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/votes/vote.h"

namespace hqe {

/// Sums of all members of a pool stay within this, so that int32 never overflows.
inline constexpr std::int32_t largest_sum = std::int32_t{1} << 30;

/// A vote is worth more than all members' correct counts together, plus the voter's own, times its
/// weight, so that one sum compares votes first and correct counts second. Weights whose sums
/// double precision may round are worth themselves alone, and the literal vote decides near ties.
struct VoteValues {
  VoteValues(const VoteRule& rule, int model_count);

  std::vector<std::int32_t> values;  ///< One a model; lists of M voters, repeated or not, fit.
  std::int32_t any = 1;              ///< Of a vote where it only matters that there is one.
  bool rounded = false;
  /// Where every vote weighs the same and nothing is rounded: the least of the values. Else 0.
  std::int32_t vote_value = 0;
};

}  // namespace hqe
