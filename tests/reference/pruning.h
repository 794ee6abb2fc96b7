// SPDX-License-Identifier: MIT
/// Mean threshold, Algorithm 2 line by line, and the consensus of several metrics.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "tests/reference/pool.h"

namespace hqe::reference {

/// The teams with score > mean + 1e-12, in the order of the map.
[[nodiscard]] std::vector<Members> mean_threshold(const std::map<Members, double>& scores);

struct HierarchicalReference {
  int desired_size = 2;
  std::vector<double> beta{0.1};  ///< One value, or one a tier.
  std::optional<int> keep;
  bool keep_last_tier = false;
};

struct ReferenceTier {
  int team_size = 0;
  std::vector<Members> candidates;  ///< In team order.
  std::vector<Members> pruned;      ///< Lowest score first; of equals, the later team first.
  std::vector<Members> kept;        ///< In team order.
  std::map<Members, double> scores;
};

/// Scores the candidates of one tier.
using ScoreTier = std::function<std::map<Members, double>(const std::vector<Members>&)>;

/// Algorithm 2: tries every team of every size against everything pruned before.
[[nodiscard]] std::vector<ReferenceTier> prune_hierarchically(int model_count,
                                                              const ScoreTier& score,
                                                              const HierarchicalReference& options);

struct ReferenceConsensus {
  Members team;
  int votes = 0;
  double score = 0;
};

/// The teams that more than half of the opinions keep, ordered by votes, mean score (12 decimals),
/// team order.
[[nodiscard]] std::vector<ReferenceConsensus> consensus(
    const std::vector<std::map<Members, double>>& opinions);

}  // namespace hqe::reference
