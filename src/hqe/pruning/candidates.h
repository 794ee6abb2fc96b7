// SPDX-License-Identifier: MIT
/// The next tier's candidates from the survivors of the last, without looking at any other team.
///
/// Teams are handled without the required members ("free parts"): these are in every team, so they
/// neither distinguish teams nor change their order.

#pragma once

#include <cstdint>
#include <functional>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/pruning/eligibility.h"

namespace hqe {

/// Called with the number of candidates before any is stored; may throw to refuse them.
using CountCheck = std::function<void(std::uint64_t count)>;

/// The free parts one member larger all of whose parts (one member fewer) are among `survivors`,
/// and which, with the required members, are within budget; given back as whole teams, in team
/// order. A part P + {a, b} is found where the survivors P + {a} and P + {b} share all but their
/// last member; its other parts P - {p} + {a, b} are looked up for P and a at once.
///
/// Requires: `survivors` in team order. Memory: the survivors and the result.
[[nodiscard]] TeamList join_survivors(const TeamList& survivors, const Eligibility& eligibility,
                                      const CountCheck& check, const Run& run);

}  // namespace hqe
