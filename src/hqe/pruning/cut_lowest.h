// SPDX-License-Identifier: MIT
/// Which teams of a tier stay. Private to pruning/.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"

namespace hqe {

/// True for all but the `pruned` lowest scores as they are compared (rounded_score()); of equals
/// the later are pruned first. O(n). Requires: pruned <= scores.size(), no NaN.
[[nodiscard]] std::vector<bool> all_but_lowest(std::span<const double> scores, std::uint64_t pruned,
                                               const Run& run);

}  // namespace hqe
