// SPDX-License-Identifier: MIT
/// When a vote is decided. Private to serving/.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/serving/voter.h"

namespace hqe {

/// What the members that have not answered can bring.
struct Left {
  int members = 0;
  double weight = 0;
  double all_weights = 0;     ///< Of the whole team.
  std::uint64_t correct = 0;  ///< Sum of correct counts, where they break ties of whole votes.
};
[[nodiscard]] Left left_without(const TeamVote& vote, std::span<const char> is_in);

/// Weighted sums of the scores of those who answered, by ascending member. `rows`: member after
/// member.
void add_up_scores(const TeamVote& vote, std::span<const double> rows, std::span<const char> is_in,
                   std::span<double> sums);

/// What each member adds to its class where votes of labels tie.
[[nodiscard]] std::vector<Strength> strengths_of(const TeamVote& vote);

/// What the classes got from those who answered, classes ascending. Allocates only where `tallies`
/// has not been as long before.
void tally_labels(const TeamVote& vote, std::span<const Strength> strengths,
                  std::span<const std::int32_t> labels, std::span<const char> is_in,
                  std::vector<VoteTally>& tallies);

struct VoteOutcome {
  bool decided = false;
  std::int32_t answer = -1;
};
/// Requires: tallies by ascending class.
[[nodiscard]] VoteOutcome outcome_of_tallies(const TeamVote& vote,
                                             std::span<const VoteTally> tallies, const Left& left);
[[nodiscard]] VoteOutcome outcome_of_scores(const TeamVote& vote, std::span<const double> sums,
                                            const Left& left);

/// A lead of scores or weights decides a vote where it exceeds this.
///
/// A sum of S products of numbers that are not negative is off by less than (S + 1) 2^-53 of
/// itself; a lead, the final lead and what is left take part with at most eight such sums, together
/// below (S + 4) 2^-50 of the largest sum there can be. One share of that answers for the final
/// sums; one more for each member left makes the bound fall faster than rounding lets a lead fall,
/// so that what is decided stays so.
[[nodiscard]] inline double deciding_lead(const TeamVote& vote, const Left& left) {
  const double rounding =
      (1 + left.members) * (vote.size() + 4) * 0x1p-50 * left.all_weights * vote.largest_score;
  return left.weight * vote.largest_score + rounding;
}

}  // namespace hqe
