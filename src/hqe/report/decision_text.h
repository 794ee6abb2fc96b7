// SPDX-License-Identifier: MIT
/// The answer to "what should I ship?", on one screen.

#pragma once

#include "hqe/report/page.h"

namespace hqe {

/// What to take and what it is worth, and what else there is.
void add_decision(Page& page, const Study& study);

/// How focal pruning saw it, a row a metric, and where the rest is.
void add_summary(Page& page, const Study& study);

}  // namespace hqe
