// SPDX-License-Identifier: MIT
/// Why an answer is empty, and what to ask for instead.

#pragma once

#include "hqe/base/message.h"
#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"

namespace hqe {

/// Why no team of `size` is within the budget, and what the cheapest one costs; empty where there
/// is no budget, or teams are within it.
[[nodiscard]] Message why_over_budget(const SearchSpace& space, int size);

/// Why these searches selected no team, and which option to change. Requires: they selected none.
[[nodiscard]] Message why_nothing_selected(const SearchSpace& space, const Searches& found);

}  // namespace hqe
