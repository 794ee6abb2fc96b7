// SPDX-License-Identifier: MIT
/// The answer to "what should I ship?", on one screen.

#pragma once

#include <string>
#include <vector>

#include "hqe/report/page.h"

namespace hqe {

/// "Ship these 3: anna, bert, dora", "Ship one model: anna", "Keep all 14 models."; what the
/// members' votes weigh is told where they differ.
[[nodiscard]] std::string ship_text(const Page& page, const Team& team,
                                    const std::vector<double>& weights = {});

/// What to take and what it is worth, and what else there is.
void add_decision(Page& page, const Study& study);

/// How focal pruning saw it, a row a metric, and where the rest is.
void add_summary(Page& page, const Study& study);

}  // namespace hqe
