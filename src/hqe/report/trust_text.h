// SPDX-License-Identifier: MIT
/// How far a study can be trusted, in words. Private to report/.

#pragma once

#include "hqe/report/page.h"

namespace hqe {

/// Nothing where the study says nothing of it, as those saved by older versions.
void add_trust(Page& page, const Study& study);

/// "97.43 to 98.01": percentages without their sign.
[[nodiscard]] std::string interval_text(const Interval& interval);

/// "+0.31" points, "-0.0123" of log-loss: above 0 where the recommended team is better.
[[nodiscard]] std::string gain_text(Merit merit, double difference);

/// "better", "cannot tell on 5,000 samples, about 15,000 would be needed".
[[nodiscard]] std::string verdict_text(const BaselineComparison& comparison);

}  // namespace hqe
