// SPDX-License-Identifier: MIT
/// Exact correct counts of many small teams that vote by plurality, from who votes alike with whom:
/// bits, whole words of samples at a time.

#pragma once

#include <cstdint>
#include <span>

#include "hqe/agreement/vote_table.h"
#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"

namespace hqe {

/// The votes of a pool in which every model votes on every sample, as one vote. Refers to what
/// somebody else owns.
struct PluralityVotes {
  int model_count = 0;
  const VoteTable& table;
  std::span<const std::uint32_t> weights;  ///< Samples of each pattern.
  std::span<const std::uint64_t>
      correct;             ///< Of each model: break ties of votes, before classes do.
  bool one_rival = false;  ///< No pattern has two.
};

/// What counting one team costs, in vector operations, where teams share their first members with a
/// few others; infinite where the tables would be too large.
[[nodiscard]] double plurality_cost(const PluralityVotes& pool, int team_size);

/// Adds to right[i] the samples that teams[i] is right on. Sorted teams share the work of common
/// first members. Deterministic for every target and thread count.
/// Requires: plurality_cost() is finite, and right.size() == teams.size().
void add_plurality_counts(const PluralityVotes& pool, const TeamList& teams, const Run& run,
                          std::span<std::uint64_t> right);

}  // namespace hqe
