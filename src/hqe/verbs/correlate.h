// SPDX-License-Identifier: MIT
/// How well scores foretold accuracy.

#pragma once

#include <vector>

#include "hqe/search/search.h"
#include "hqe/search/search_space.h"
#include "hqe/study/study.h"

namespace hqe {

/// Fills in how well each metric, and beside a focal one its baseline, foretold accuracy.
/// Requires: a selection each search, and the searched teams were learned.
void correlate(std::vector<Selection>& selections, const std::vector<Search>& searches,
               const SearchSpace& space);

}  // namespace hqe
