// SPDX-License-Identifier: MIT
/// Methods that order models and take the first ones (docs/methods.md). Every team is allowed, has
/// `size` members where enough of them fit, and depends on the problem alone; ties go to the
/// better model (by_accuracy()).

#pragma once

#include "hqe/methods/problem.h"

namespace hqe {

/// By correct count.
[[nodiscard]] Team most_accurate_team(const SelectionProblem& problem);
/// One model: the first by correct count that is allowed.
[[nodiscard]] Team best_single_team(const SelectionProblem& problem);
/// Each time the model that is right on most samples that the team gets wrong.
[[nodiscard]] Team complementarity_team(const SelectionProblem& problem);
/// Each time the model that brings the signature sum nearest to the objective point.
[[nodiscard]] Team margin_distance_team(const SelectionProblem& problem);
/// By the angle between a model's signature and the reference direction.
[[nodiscard]] Team orientation_team(const SelectionProblem& problem);
/// The models of the pairs that agree least, pair by pair.
[[nodiscard]] Team kappa_team(const SelectionProblem& problem);
/// By individual contribution (EPIC).
[[nodiscard]] Team individual_contribution_team(const SelectionProblem& problem);

}  // namespace hqe
