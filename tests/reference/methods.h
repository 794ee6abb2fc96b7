// SPDX-License-Identifier: MIT
/// The methods of docs/methods.md, word for word and sample by sample. Every team is found by
/// trying; nothing is shared with the library but its random numbers.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/methods/method.h"
#include "tests/reference/pool.h"

namespace hqe::reference {

/// Right answers of members who vote by the pool's default vote; a member may come several times.
[[nodiscard]] std::uint64_t count_right(const ReferencePool& pool, const Members& voters);

/// Whom the method chooses, each member as often as it votes. Throws std::out_of_range for a method
/// that is transcribed elsewhere (pruning.h, decision.h) or chooses nobody.
[[nodiscard]] Members voters_of(Method method, const ReferencePool& pool, int size,
                                std::uint64_t seed);
/// The mean count over every team of the size.
[[nodiscard]] double expected_right(const ReferencePool& pool, int size);

}  // namespace hqe::reference
