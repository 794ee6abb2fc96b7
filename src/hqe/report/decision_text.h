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

/// What an answer that would not fit a screen leaves to a verbose one: each step leaves out what
/// the steps before it do, and one thing more.
enum class LeftOut {
  nothing,
  further_costs,      // of the alternatives: the first known cost stays
  members_of_half,    // of the team that was judged on the other half: how many stays
  radius,             // of robustness
  heading_of_notes,   // the notes stay
  notes,              // how many stays
  test_figures,       // the accuracy on held-out samples stays
  members_of_others,  // of the alternatives: how many stays
  rows_of_metrics,    // the consensus stays
};

/// What to take and what it is worth, and what else there is.
void add_decision(Page& page, const Study& study, LeftOut left_out = LeftOut::nothing);

/// How focal pruning saw it, a row a metric, and where the rest is.
void add_summary(Page& page, const Study& study, LeftOut left_out = LeftOut::nothing);

}  // namespace hqe
