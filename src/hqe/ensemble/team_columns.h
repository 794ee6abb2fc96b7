// SPDX-License-Identifier: MIT
/// Sorted lists of teams with a value each.

#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

/// Team order.
[[nodiscard]] inline bool team_before(TeamView left, TeamView right) {
  return std::ranges::lexicographical_compare(left, right);
}

/// The first members of a team as one number that stands among others as the team does, as long as
/// they differ. Most teams of long lists do.
[[nodiscard]] inline std::uint64_t leading_members(TeamView team) {
  static_assert(sizeof(ModelId) == 2);
  std::uint64_t key = 0;
  for (std::size_t place = 0; place < 4; ++place) {
    key = key << 16 | (place < team.size() ? team[place] : 0);
  }
  return key;
}

/// The teams of both lists, each once. Requires: both in team order, of one size.
[[nodiscard]] TeamList union_of(const TeamList& left, const TeamList& right);

/// The teams of `left` that are not in `right`. Requires: both in team order, of one size.
[[nodiscard]] TeamList difference_of(const TeamList& left, const TeamList& right);

/// The values of `wanted` in the column `values` of `teams`.
/// Requires: both lists in team order, and every wanted team among `teams`.
template <typename Value>
[[nodiscard]] std::vector<Value> values_of(const TeamList& wanted, const TeamList& teams,
                                           const std::vector<Value>& values) {
  if (&wanted == &teams) return values;
  std::vector<Value> result;
  result.reserve(wanted.size());
  std::size_t j = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    while (team_before(teams[j], wanted[i])) ++j;
    result.push_back(values[j]);
  }
  return result;
}

/// The place of `team` in a list in team order; the list's size when it is not there.
[[nodiscard]] inline std::size_t place_of(TeamView team, const TeamList& teams) {
  std::size_t low = 0;
  std::size_t high = teams.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (team_before(teams[middle], team)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < teams.size() && std::ranges::equal(teams[low], team) ? low : teams.size();
}

}  // namespace hqe
