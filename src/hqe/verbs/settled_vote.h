// SPDX-License-Identifier: MIT
/// The vote of a pool whose true labels need not be known. Private to verbs/.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/predictions/pool.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// For a pool that is not read yet: the vote that will be taken. Throws UsageError for a vote that
/// it does not allow, and InputError where ties or weights go by the models' correct counts and
/// neither the options nor true labels give them.
Vote check_vote(const Pool& pool, const VoteOptions& options);

/// The rule. Correct counts are those of the options, else these of the pool itself.
/// Throws UsageError.
[[nodiscard]] VoteRule settled_vote(const Pool& pool, const VoteOptions& options,
                                    std::vector<std::uint64_t> correct);

}  // namespace hqe
