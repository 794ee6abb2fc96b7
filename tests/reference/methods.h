// SPDX-License-Identifier: MIT
/// The methods of docs/methods.md, word for word and sample by sample. Every team is found by
/// trying; nothing is shared with the library but its random numbers.

#pragma once

#include <cstdint>
#include <vector>

#include "tests/reference/pool.h"

namespace hqe::reference {

/// Right answers of members who vote by the pool's default vote; a member may come several times.
[[nodiscard]] std::uint64_t count_right(const ReferencePool& pool, const Members& voters);

[[nodiscard]] Members most_accurate(const ReferencePool& pool, int size);
[[nodiscard]] Members complementarity(const ReferencePool& pool, int size);
[[nodiscard]] Members margin_distance(const ReferencePool& pool, int size);
[[nodiscard]] Members orientation(const ReferencePool& pool, int size);
[[nodiscard]] Members kappa_pruning(const ReferencePool& pool, int size);
[[nodiscard]] Members individual_contribution(const ReferencePool& pool, int size);
[[nodiscard]] Members greedy_forward(const ReferencePool& pool, int size);
[[nodiscard]] Members greedy_backward(const ReferencePool& pool, int size);
[[nodiscard]] Members drep(const ReferencePool& pool, int size);
/// Every member as often as it votes; so below.
[[nodiscard]] Members greedy_with_replacement(const ReferencePool& pool, int size);
[[nodiscard]] Members caruana(const ReferencePool& pool, int size, std::uint64_t seed);
[[nodiscard]] Members pareto_pruning(const ReferencePool& pool, int size, std::uint64_t seed);
/// The first of the teams of the size with the most right answers.
[[nodiscard]] Members exhaustive(const ReferencePool& pool, int size);
/// The mean count over every team of the size.
[[nodiscard]] double expected_right(const ReferencePool& pool, int size);

}  // namespace hqe::reference
