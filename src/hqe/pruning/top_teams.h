// SPDX-License-Identifier: MIT
/// The highest scores of a tier that nobody holds. Private to pruning/.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

/// Holds on to the `limit` highest scores as they are compared (rounded_score()), of equals the
/// earlier, of teams that are shown in any order: what all_but_lowest() keeps of all of them.
/// Memory: at most twice `limit` teams and scores a worker, or some thousands.
///
/// Thread safety: workers may show at the same time.
class TopTeams {
 public:
  /// Requires: limit > 0.
  TopTeams(int team_size, std::uint64_t limit, int workers);

  /// The teams of a part of the tier that begins with candidate `first`, and a score each, no NaN.
  void show(const TeamList& some, std::span<const double> scores, std::uint64_t first, int worker);

  /// Whose score is below this will not be among the highest.
  [[nodiscard]] double floor() const;

  struct Found {
    TeamList teams{1};           ///< In team order.
    std::vector<double> scores;  ///< One a team.
  };
  [[nodiscard]] Found take();

 private:
  struct Held {
    double compared = 0;  ///< The score, rounded.
    double score = 0;
    std::uint64_t candidate = 0;
    std::size_t members = 0;  ///< Where they lie in the worker's `flat`.
  };
  struct Worker {
    std::vector<Held> held;
    std::vector<ModelId> flat;
  };
  void drop_lowest(Worker& worker);

  std::size_t team_size_;
  std::size_t limit_;
  std::atomic<double> floor_;  ///< Of nobody below this is a score among the highest.
  std::vector<Worker> workers_;
};

}  // namespace hqe
