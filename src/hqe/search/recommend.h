// SPDX-License-Identifier: MIT
/// Which team to take, and why.

#pragma once

#include <optional>

#include "hqe/study/study.h"

namespace hqe {

/// The consensus team with the highest merit, then correct count; among equals the cheaper, then
/// the smaller, then team order. Cheaper: by the first of params, GFLOPs, latency and memory that
/// is known for every model of the pool and differs. Without a consensus team the best of the
/// selections; nothing when these are empty. The reason says so when a baseline is as good or
/// better. Requires: pool, reference, selections, consensus, baselines and test are filled in.
[[nodiscard]] std::optional<Recommendation> recommend(const Study& study);

}  // namespace hqe
