// SPDX-License-Identifier: MIT
/// The kinds of documents that are read back, and the reader of each. Private: nlohmann's header is
/// slow.

#pragma once

#include "hqe/documents/entry.h"
#include "hqe/methods/compare.h"
#include "hqe/study/study.h"

namespace hqe {

inline constexpr DocumentKind saved_study{"prune", "study"};
inline constexpr DocumentKind saved_comparison{"compare", "comparison"};

/// Each checks every number against what it counts. Throws InputError.
[[nodiscard]] Study read_study(const Entry& document);
[[nodiscard]] Comparison read_comparison(const Entry& document);

}  // namespace hqe
