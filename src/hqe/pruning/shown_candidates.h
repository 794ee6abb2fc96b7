// SPDX-License-Identifier: MIT
/// Candidates that nobody holds, shown some at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hqe/ensemble/team.h"
#include "hqe/pruning/candidates.h"

namespace hqe {

/// Collects candidates, and shows them when they are enough.
class ShownCandidates {
 public:
  ShownCandidates(int team_size, std::uint64_t first, int worker,
                  const JoinedSurvivors::Visit& visit)
      : team_size_(team_size),
        room_(most_shown * static_cast<std::size_t>(team_size)),
        first_(first),
        worker_(worker),
        visit_(visit),
        flat_(room_) {}

  void add(TeamView team) { add(team.first(team.size() - 1), team.back(), team.size() - 1); }
  /// `Size` is that of the part, a number or a constant that the compiler knows.
  template <class Size>
  void add(TeamView part, ModelId last, Size size) {
    // So few that calling memmove would take longer.
    ModelId* out = flat_.data() + used_;
    for (std::size_t place = 0; place < size; ++place) out[place] = part[place];
    out[size] = last;
    used_ += size + 1;
    if (used_ == room_) show();
  }
  void show() {
    if (used_ == 0) return;
    flat_.resize(used_);
    const TeamList some(team_size_, std::move(flat_));
    visit_(some, first_, worker_);
    first_ += some.size();
    flat_ = std::vector<ModelId>(room_);
    used_ = 0;
  }

 private:
  /// What is done with them stays in the second cache.
  static constexpr std::size_t most_shown = 1024;

  int team_size_;
  std::size_t room_, used_ = 0;
  std::uint64_t first_;
  int worker_;
  const JoinedSurvivors::Visit& visit_;
  std::vector<ModelId> flat_;
};

}  // namespace hqe
