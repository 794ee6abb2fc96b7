// SPDX-License-Identifier: MIT
/// The contests of a pool, in one line.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hqe/evaluation/contests.h"
#include "hqe/predictions/scan.h"

namespace hqe::testing {

inline Contests contests_of(Pool pool, const VoteOptions& options = {},
                            std::vector<std::uint64_t> selection_correct = {}, int threads = 1) {
  ContestBuilder builder(options, std::move(selection_correct));
  BlockConsumer* const consumers[] = {&builder};
  scan(pool, consumers, {.threads = threads});
  return builder.contests();
}

}  // namespace hqe::testing
