// SPDX-License-Identifier: MIT
/// Runs the searches that were asked for, finding size and beta where these are "auto".

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hqe/search/search.h"
#include "hqe/search/search_space.h"

namespace hqe {

struct Searches {
  int desired_size = 0;
  std::vector<Search> searches;  ///< One a metric, in the order of the settings.
  std::vector<Message> warnings;
  /// Of a size whose tiers may have forgotten their teams: a list, and which of it they kept.
  struct Kept {
    std::shared_ptr<const TeamList> teams;
    std::vector<bool> is_kept;
  };
  std::map<int, Kept> kept{};
  /// Once they were asked for (decision_of.h).
  std::optional<std::vector<TeamList>> shortlists{};
};

/// What becomes of teams that were pruned in tiers of more than max_evaluate candidates: nobody
/// counts those, so only who asks why a team was pruned needs them.
enum class Pruned { held, forgotten };

[[nodiscard]] Searches run_searches(SearchSpace& space, Pruned pruned = Pruned::held);

}  // namespace hqe
