// SPDX-License-Identifier: MIT
/// What several searches kept, in one list that they share: a search holds places in it. Millions
/// of teams are named by several metrics each, and every name costs 4 bytes.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hqe/ensemble/team.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/search/counted_teams.h"
#include "hqe/search/merits.h"
#include "hqe/study/study.h"

namespace hqe {

/// What searches kept of one size.
struct KeptTeams {
  struct OfSearch {
    std::vector<std::uint32_t> places;  ///< Ascending.
    std::vector<double> scores;         ///< One a place.
  };
  std::shared_ptr<const TeamList> teams;  ///< Each once, in team order.
  std::vector<bool> is_kept;              ///< Of each team: some search kept it.
  std::vector<OfSearch> searches;
};

/// A search's tier, and whether the list is to hold what it pruned, too.
struct ListedTier {
  const Tier* tier = nullptr;
  bool with_pruned = false;
  /// Null, or the scores of the tier: those of what it kept are taken from there, without a copy.
  std::vector<double>* scores_to_take = nullptr;
};
/// One tier a search, all of one size, at least one. O(n).
[[nodiscard]] KeptTeams kept_together(std::span<const ListedTier> tiers);

/// Where the figures of selected teams come from; each may be null.
struct Counters {
  const CountedTeams* correct = nullptr;
  const CountedTeams* test_correct = nullptr;
  const Merits* merit = nullptr;
  const Merits* test_merit = nullptr;
};

/// Figures of a list of teams; null or empty where nobody knows them.
struct TeamValues {
  CountedTeams::SharedCounts correct, test_correct;
  std::vector<double> merit, test_merit;
};
/// Requires: `counters` have learned the teams.
[[nodiscard]] TeamValues values_of_teams(const TeamList& teams, const Counters& counters);

}  // namespace hqe
