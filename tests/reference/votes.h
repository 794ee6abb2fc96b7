// SPDX-License-Identifier: MIT
/// How a team answers, as spec section 2 says it. -1 = no answer.

#pragma once

#include <vector>

#include "tests/reference/pool.h"

namespace hqe::reference {

/// Sums of the members' probabilities, members ascending; argmax, lowest class wins.
[[nodiscard]] int soft_vote(const ReferencePool& pool, const Members& team, int sample);

/// Soft with one weight a model.
[[nodiscard]] int weighted_vote(const ReferencePool& pool, const Members& team, int sample,
                                const std::vector<double>& weights);

/// Most votes; ties go to the class whose voters have the larger sum of `correct` (one a model;
/// empty: no such rule), then to the lower class.
[[nodiscard]] int plurality_vote(const ReferencePool& pool, const Members& team, int sample,
                                 const std::vector<std::uint64_t>& correct);

/// The class whose voters have the largest sum of `weights` (one a model), members ascending; ties
/// go to the class whose voters have the larger sum of weight times `correct` (one a model; empty:
/// no such rule), then to the lower class. Votes of weight 0 are none.
[[nodiscard]] int weighted_plurality_vote(const ReferencePool& pool, const Members& team,
                                          int sample, const std::vector<double>& weights,
                                          const std::vector<std::uint64_t>& correct);

/// The class with more than S/2 votes, S counting abstainers.
[[nodiscard]] int majority_vote(const ReferencePool& pool, const Members& team, int sample);

/// The models' correct counts.
[[nodiscard]] std::vector<std::uint64_t> correct_counts(const ReferencePool& pool);

/// How many samples `answer(sample)` gets right.
template <class Answer>
[[nodiscard]] std::uint64_t team_correct(const ReferencePool& pool, const Answer& answer) {
  std::uint64_t right = 0;
  for (int x = 0; x < pool.sample_count; ++x) right += answer(x) == pool.truth[x];
  return right;
}

}  // namespace hqe::reference
