// SPDX-License-Identifier: MIT
/// Comparisons and fronts for people: as text, and ranks as a picture. Everything shown was
/// computed before. Implemented in compare_text.cpp and plot_ranks.cpp.

#pragma once

#include <string>

#include "hqe/methods/compare.h"
#include "hqe/methods/front.h"
#include "hqe/report/text.h"

namespace hqe {

/// Each text ends with a newline and depends on its arguments alone.
[[nodiscard]] std::string to_text(const Comparison& comparison, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Front& front, const TextOptions& options = {});

/// Mean ranks of a comparison's methods, critical-difference style, as an SVG document. Its bytes
/// depend on the ranks alone. Throws UsageError for fewer than two ranked methods.
[[nodiscard]] std::string plot_ranks(const RankSummary& ranks);

}  // namespace hqe
