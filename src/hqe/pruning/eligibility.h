// SPDX-License-Identifier: MIT
/// Which teams may be chosen at all: wanted members, unwanted members, a budget.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

/// Which teams may be candidates at all.
struct Eligibility {
  Team required;                  ///< Members that every team must have.
  std::vector<ModelId> excluded;  ///< Members that no team may have.
  /// Nothing: no budget. Otherwise true for a team within it; must be true for every part of a team
  /// that it is true for (costs only grow). Called from several threads at a time.
  std::function<bool(TeamView)> within_budget;

  /// True when some team of the pool may not be chosen.
  [[nodiscard]] bool is_limited() const {
    return !required.empty() || !excluded.empty() || within_budget != nullptr;
  }
  [[nodiscard]] bool allows(TeamView team) const;
};

/// The models that a team may have beside the required ones, ascending.
[[nodiscard]] std::vector<ModelId> free_models(int model_count, const Eligibility& eligibility);

/// `part` and the required members together, ascending. Requires: `part` ascending and without
/// required members.
[[nodiscard]] std::vector<ModelId> with_required(TeamView part, const Team& required);

/// Calls `visit` for each eligible team of `team_size`, in team order. Enumerates.
void for_each_eligible_team(int model_count, int team_size, const Eligibility& eligibility,
                            const std::function<void(TeamView)>& visit);

/// The required models, then the first models of `order` that fit: each is taken if the team with
/// it is allowed, until there are `size` of them. Empty where not even the required ones are
/// allowed.
[[nodiscard]] Team take_in_order(std::span<const ModelId> order, int size,
                                 const Eligibility& eligibility);

/// Teams of a size that would have to be enumerated before the budget is counted by hand.
inline constexpr std::uint64_t max_budget_enumeration = 2'000'000;

/// How many teams of `team_size` are eligible. With a budget they are enumerated when there are at
/// most max_budget_enumeration without it. Nothing above 2^53, or where that would be too many.
[[nodiscard]] std::optional<std::uint64_t> eligible_team_count(int model_count, int team_size,
                                                               const Eligibility& eligibility);

}  // namespace hqe
