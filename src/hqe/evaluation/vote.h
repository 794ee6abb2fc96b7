// SPDX-License-Identifier: MIT
/// How a team's members are combined into one prediction (spec section 2).

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "hqe/predictions/pool.h"

namespace hqe {

enum class Vote { soft, weighted, plurality, majority };
enum class Ties { accuracy, label };

[[nodiscard]] std::string_view to_string(Vote vote);
[[nodiscard]] std::string_view to_string(Ties ties);
[[nodiscard]] std::optional<Vote> parse_vote(std::string_view word);
[[nodiscard]] std::optional<Ties> parse_ties(std::string_view word);

struct VoteOptions {
  /// Nothing: soft for probabilities and logits, plurality for labels and correctness.
  std::optional<Vote> vote;
  /// Weighted votes: one non-negative finite weight a model, not all 0. Empty: the models'
  /// accuracies on the selection pool.
  std::vector<double> weights;
  /// How a plurality tie is broken.
  Ties ties = Ties::accuracy;
};

/// A vote with everything settled that a sample's outcome depends on.
struct VoteRule {
  Vote vote = Vote::plurality;
  Ties ties = Ties::accuracy;
  std::vector<double> weights;  ///< Weighted: one a model.
  std::vector<std::uint64_t>
      correct;  ///< Correct counts on the selection pool, one a model: plurality ties.
};

/// Settles the vote for a pool. `correct` are the models' correct counts on the selection pool.
/// Throws UsageError when the pool's kind does not allow the vote, naming the votes that work.
[[nodiscard]] VoteRule settle_vote(Kind kind, std::uint64_t sample_count,
                                   const VoteOptions& options, std::vector<std::uint64_t> correct);

/// The class that `team` answers for one sample, literally as spec section 2 says; -1 = no answer.
/// The definition that every fast path must equal. O(S C).
[[nodiscard]] std::int32_t team_answer(const Pool& pool, const VoteRule& rule, TeamView team,
                                       std::uint64_t sample);

}  // namespace hqe
