// SPDX-License-Identifier: MIT
/// The parts of a saved study, read back in json_read.cpp, json_read_detail.cpp,
/// json_read_serving.cpp and json_read_trust.cpp. Private: nlohmann's header is slow.

#pragma once

#include "hqe/saved/json_read_parts.h"
#include "hqe/study/study.h"

namespace hqe {

/// `samples`: what correct counts are counts of. `count_of_teams`: the teams that it speaks of,
/// where these are listed.
[[nodiscard]] Quality read_quality(const Entry& entry, const Limit& samples,
                                   std::optional<std::size_t> count_of_teams = std::nullopt);

/// A metric's name, or "MAJORITY-F".
[[nodiscard]] std::string read_selection_name(const Entry& entry);

/// Both need the pool, the test pool and the selections of the study. The detail also adds what it
/// knows of these: correlations.
[[nodiscard]] Trust read_trust(const Entry& entry, const Study& study);
void read_detail(const Entry& document, Study& study);

/// Adds what it says to the recommendation, and needs the pool and the test pool.
void read_serving(const Entry& entry, Study& study);

}  // namespace hqe
