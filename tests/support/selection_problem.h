// SPDX-License-Identifier: MIT
/// What methods choose from, made of a pool.

#pragma once

#include <cstdint>

#include "hqe/methods/contribution.h"
#include "hqe/methods/problem.h"
#include "hqe/search/measure.h"

namespace hqe {

inline SelectionProblem problem_of(const Pool& pool, int size, std::uint64_t seed = 1) {
  const Measured measured = measure(pool, {.vote = VoteOptions{}}, {.threads = 1});
  return {.contests = *measured.contests,
          .counts = measured.counts,
          .right = RightAnswers(*measured.contests),
          .contributions = individual_contributions(pool, {.threads = 1}),
          .size = size,
          .seed = seed,
          .drawing_order = drawing_order(measured.counts, pool),
          .run = {.threads = 1}};
}

}  // namespace hqe
