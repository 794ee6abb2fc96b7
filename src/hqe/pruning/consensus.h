// SPDX-License-Identifier: MIT
/// MAJORITY-F: the teams that more than half of the metrics keep.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

/// What one metric kept.
struct Opinion {
  TeamList teams{1};           ///< Any order.
  std::vector<double> scores;  ///< One a team.
};

/// What one metric kept of a list that all metrics share, by places in it.
struct PlacedOpinion {
  std::span<const std::uint32_t> places;  ///< Ascending.
  std::span<const double> scores;         ///< One a place.
};

/// Places that more than half of the opinions keep, ascending. Columns of equal length.
struct AgreedPlaces {
  std::vector<std::uint32_t> places;
  std::vector<int> votes;
  std::vector<double> scores;  ///< Mean over the metrics that kept the team.
};

/// O(n).
[[nodiscard]] AgreedPlaces agreed_places(std::span<const PlacedOpinion> opinions);

struct ConsensusTeam {
  Team team;
  int votes = 0;
  double score = 0;  ///< Mean over the metrics that kept it.
};

/// The same, ordered by votes, then mean score (rounded to 12 decimals), then team order.
[[nodiscard]] std::vector<ConsensusTeam> consensus(std::span<const Opinion> opinions);

}  // namespace hqe
