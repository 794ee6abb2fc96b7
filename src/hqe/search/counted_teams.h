// SPDX-License-Identifier: MIT
/// Exact correct counts of teams, each computed once.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/evaluation/contests.h"

namespace hqe {

/// Remembers the correct counts that were asked for. Ask for many teams of a size at a time: they
/// are evaluated together. Thread safety: const members may be called from several threads.
class CountedTeams {
 public:
  CountedTeams(Contests contests, Run run) : contests_(std::move(contests)), run_(std::move(run)) {}

  [[nodiscard]] const Contests& contests() const { return contests_; }

  /// Learns the counts of every team of every size. Requires: at most most_models_for_every_team
  /// models.
  void learn_every_team();
  /// Learns the counts of teams in team order that are not known yet. Shares the list where it is
  /// the first of its size.
  void learn(const std::shared_ptr<const TeamList>& teams);
  void learn(const TeamList& teams) { learn(std::make_shared<const TeamList>(teams)); }

  /// Requires: the teams were learned, and come in team order.
  [[nodiscard]] std::vector<std::uint64_t> of(const TeamList& teams) const;
  /// The same in half of the room.
  [[nodiscard]] std::vector<std::uint32_t> counts_of(const TeamList& teams) const;
  /// Those without a copy where just this list was learned. Not null.
  using SharedCounts = std::shared_ptr<const std::vector<std::uint32_t>>;
  [[nodiscard]] SharedCounts shared_counts_of(const TeamList& teams) const;
  /// Of one team, learned or not.
  [[nodiscard]] std::uint64_t of(TeamView team) const;

 private:
  struct Known {
    std::shared_ptr<const TeamList> teams;
    SharedCounts counts;  ///< A pool has at most 2^31 samples. Not null.
  };
  Contests contests_;
  Run run_;
  std::map<int, Known> known_;             ///< By size.
  std::vector<std::uint32_t> every_team_;  ///< By bit mask; empty unless learned.
};

}  // namespace hqe
