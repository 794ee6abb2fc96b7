// SPDX-License-Identifier: MIT
/// What `hqe apply` says of each sample, literally: answer, its probability, margin and followers.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hqe/votes/vote.h"
#include "tests/reference/pool.h"

namespace hqe::reference {

struct Answer {
  int label = -1;
  std::vector<double> scores;         ///< Of votes of scores.
  std::optional<double> probability;  ///< Nothing for votes of labels, and without an answer.
  std::optional<double> margin;       ///< Ahead of the next class, in probability or in votes.
  int agree = 0;
};

/// `weights` and `correct`: one a model; both may be empty. A temperature makes shares p into
/// p^(1/T), scaled to sum to 1.
[[nodiscard]] Answer answer_of(const ReferencePool& pool, const Members& team, int sample,
                               Vote vote, const std::vector<double>& weights,
                               const std::vector<std::uint64_t>& correct,
                               std::optional<double> temperature);

}  // namespace hqe::reference
