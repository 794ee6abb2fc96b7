// SPDX-License-Identifier: MIT
/// Methods that look at the team's own correct count step by step (docs/methods.md). Ties go to the
/// better model (by_accuracy()): it joins first and leaves last.

#pragma once

#include "hqe/methods/problem.h"

namespace hqe {

/// Reduce-error pruning: each time the model that leaves the team with the most correct.
[[nodiscard]] Team greedy_forward_team(const SelectionProblem& problem);

/// From all models that are allowed alone, each time without the model whose leaving leaves the
/// most correct, until the team has `size` members and is allowed.
[[nodiscard]] Team greedy_backward_team(const SelectionProblem& problem);

/// Diversity regularised ensemble pruning: of the quarter of the models that agree least with the
/// team, the one that leaves it with the most correct.
[[nodiscard]] Team drep_team(const SelectionProblem& problem);

/// Greedy selection with replacement: `size` picks, each time the model that, once more, leaves the
/// most correct; of the picks the shortest beginning with the most correct, each model with as many
/// votes as it was picked in it.
[[nodiscard]] WeightedTeam greedy_with_replacement_team(const SelectionProblem& problem);

/// Selection with replacement in bags of half the models; the `size` models chosen most often, each
/// with as many votes as it was chosen.
[[nodiscard]] WeightedTeam caruana_team(const SelectionProblem& problem);

}  // namespace hqe
