// SPDX-License-Identifier: MIT
/// Samples that take no part in a choice.

#pragma once

#include <optional>

#include "hqe/predictions/pool.h"
#include "hqe/search/search_space.h"
#include "hqe/study/study.h"

namespace hqe {

/// Splits `pool` where options.holdout asks for it: it keeps the samples to choose on, `test` gets
/// the others. Throws UsageError where more than one of a share, folds and a test pool is to judge
/// the choice, or where a share leaves nothing.
void hold_out(Pool& pool, std::optional<Pool>& test, const PruneOptions& options);

/// Throws InputError where the samples held out turned out to be of another kind.
void check_held_out(const SearchSpace& space);

/// The options of a choice that is made again and only its outcome looked at.
[[nodiscard]] PruneOptions options_of_a_repeat(const PruneOptions& options);

/// Chooses once a fold, and replaces what `trust` says of held-out samples by the outcome over all
/// folds. `trust.says` tells where a fold selected nothing. Reads the predictions once a fold.
void judge_by_folds(Trust& trust, const SearchSpace& space);

/// True where nothing else judges the choice, there are samples enough for two halves, and every
/// team up to the desired size may be counted, so that choosing again costs no more than it did.
[[nodiscard]] bool is_judged_on_half(const SearchSpace& space, int desired_size);

/// Chooses on one half, and fills in what `trust` says of held-out samples with the outcome on the
/// other half. Reads the predictions once more. Requires: is_judged_on_half().
void judge_by_half(Trust& trust, const SearchSpace& space, const Study& study);

}  // namespace hqe
