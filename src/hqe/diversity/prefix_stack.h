// SPDX-License-Identifier: MIT
/// Sums over a team's members, grown one member at a time: a sorted list's teams share the work of
/// their common beginnings.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

/// `Sums` holds what is known of a team of `size` members; extend(sums, members) is called with
/// room for one more member than before, whose place is the last of `members`.
///
/// A team's sums are computed by the same additions in the same order, whatever was computed before
/// it: neither the order of the list nor the ranges that threads work on change a bit.
template <class Sums>
class PrefixStack {
 public:
  explicit PrefixStack(int team_size) : levels_(static_cast<std::size_t>(team_size) + 1) {}

  template <class Extend>
  const Sums& sums_of(TeamView team, const Extend& extend) {
    std::size_t shared = 0;
    while (shared < known_.size() && known_[shared] == team[shared]) ++shared;
    // The last level is computed anew even for a repeated team: a list does not repeat teams.
    for (std::size_t size = std::min(shared, team.size() - 1); size < team.size(); ++size) {
      levels_[size + 1] = levels_[size];
      extend(levels_[size + 1], team.first(size + 1));
    }
    known_.assign(team.begin(), team.end() - 1);
    return levels_.back();
  }

 private:
  std::vector<Sums> levels_;
  std::vector<ModelId> known_;  ///< The members that levels_ was last computed for.
};

}  // namespace hqe
