// SPDX-License-Identifier: MIT
/// Pareto ensemble pruning (Qian, Yu and Zhou 2015): accuracy and size at once, by random mutation
/// and local search.

#pragma once

#include <cstdint>

#include "hqe/methods/problem.h"

namespace hqe {

/// The most correct team of 1..size members of the final front; ties: fewer members, then team
/// order. Deterministic in the problem's seed. docs/methods.md states every step; it ends after M^2
/// mutations, or after about 100,000 teams were counted.
[[nodiscard]] Team pareto_team(const SelectionProblem& problem);

}  // namespace hqe
