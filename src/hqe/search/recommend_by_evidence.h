// SPDX-License-Identifier: MIT
/// Which team to take by the evidence of the selection samples, what else there is, and why.

#pragma once

#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"
#include "hqe/study/study.h"

namespace hqe {

/// Fills in `evidence` and `recommended`; leaves both empty where no team is allowed. The cheaper
/// alternative is the cheapest candidate, by the first cost that every model's is known of or else
/// by size, that is expected to be within half a standard error and the margin of the recommended
/// one; where cost is preferred, it is the recommended one. Requires: pool, reference, baselines
/// and test are filled in.
void recommend_by_evidence(Study& study, SearchSpace& space, Searches& found);

}  // namespace hqe
