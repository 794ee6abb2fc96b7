// SPDX-License-Identifier: MIT
/// By how many votes the true class leads, on the active SIMD target. Private to evaluation/.

#pragma once

#include <cstdint>
#include <span>

#include "hqe/evaluation/contest_data.h"

namespace hqe {

/// Of each pattern: the team's votes for the true class, less those for its strongest rival or, by
/// `majority`, less all other members. Deterministic for every target.
/// Requires: `leads` has table.stride places and starts on a cache line.
void count_leads(const VoteTable& table, TeamView team, bool majority,
                 std::span<std::int16_t> leads);

}  // namespace hqe
