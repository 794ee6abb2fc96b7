// SPDX-License-Identifier: MIT
/// The kinds of documents that are read back, and the reader of each: json_read.cpp,
/// compare_read.cpp, json_read_cascade.cpp, team_read.cpp. Private: nlohmann's header is slow.

#pragma once

#include "hqe/methods/compare.h"
#include "hqe/saved/entry.h"
#include "hqe/study/study.h"
#include "hqe/study/team_file.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

inline constexpr DocumentKind saved_study{"prune", "study", "prune"};
inline constexpr DocumentKind saved_comparison{"compare", "comparison", "compare"};
inline constexpr DocumentKind saved_cascade{"cascade", "cascade", "front", "cascade"};
inline constexpr DocumentKind saved_team{"team", "team", "team"};
/// Pieces of an answer, on their way from who worked them out.
inline constexpr DocumentKind saved_rounds{"rounds", "rounds of a comparison", "compare"};
inline constexpr DocumentKind saved_sweep{"sweep", "sweep", "sweep"};

/// Each checks every number against what it counts. Throws InputError.
[[nodiscard]] Study read_study(const Entry& document);
[[nodiscard]] Comparison read_comparison(const Entry& document);
[[nodiscard]] Cascading read_cascade(const Entry& document);
/// But for the checksum, which is one of bytes.
[[nodiscard]] TeamFile read_team_file(const Entry& document);

}  // namespace hqe
