// SPDX-License-Identifier: MIT
/// The individual contributions of EPIC (Lu, Wu, Zhu and Bongard 2010), from one scan.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// One a model; docs/methods.md has the formula. Exact integers, so the same for any number of
/// threads. Throws what the scan throws.
[[nodiscard]] std::vector<std::int64_t> individual_contributions(Pool pool, const Run& run);

}  // namespace hqe
