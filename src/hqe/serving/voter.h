// SPDX-License-Identifier: MIT
/// One vote at a time: members answer one after another, and the vote says when the rest cannot
/// change its answer any more.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/votes/vote.h"
#include "hqe/votes/vote_weights.h"

namespace hqe {

/// What the vote of one team rests on. Members go by their place in the team, 0..S-1.
struct TeamVote {
  Vote vote = Vote::plurality;
  Ties ties = Ties::accuracy;
  int class_count = 0;
  /// Soft and weighted votes: each member gives every class a score; else a label.
  bool has_scores = false;
  /// The most that a member gives a class: a sum of probabilities may be off 1.
  double largest_score = 1;
  std::vector<double> weights{};         ///< Weighted votes: one a member. Else empty.
  std::vector<std::uint64_t> correct{};  ///< One a member, on the selection pool: breaks ties.

  [[nodiscard]] int size() const { return static_cast<int>(correct.size()); }
  [[nodiscard]] double weight(std::size_t member) const {
    return weights.empty() ? 1 : weights[member];
  }
};

/// The vote of `team` in a pool. Requires: a non-empty team, a rule settled for the pool.
[[nodiscard]] TeamVote team_vote(const Pool& pool, const VoteRule& rule, TeamView team);

/// What a class got.
struct VoteTally {
  std::int32_t label = -1;
  double votes = 0;       ///< Sum of the voters' weights, 1 each but in weighted votes.
  Strength strength = 0;  ///< Of the voters, where ties are theirs to break.
};

/// Counts the vote on one sample after another.
///
/// Exact: once is_decided(), answer() is what the vote of all members is, whatever those left would
/// say: they name any class or none, or give each class a score in [0, largest_score].
///   Labels: the leader stays ahead of every class though all that is left go to it, ties included;
///   a majority is reached, or out of reach.
///   Scores, and weighted votes of labels (largest_score 1): the leader is ahead of the second by
///   more than the weights left times largest_score, plus (1 + members left) (S + 4) 2^-50 times
///   all weights times largest_score, which is more than rounding can do.
/// It is decided by who was added, never by the order; who is decided stays so. Scores are added up
/// by ascending member, so that with all of them the answer is team_answer(), bit for bit.
///
/// No call but the constructor allocates. O(S + C) memory for labels, O(S C) for scores; add()
/// takes as long. Thread safety: const members may be called from several threads.
class Voter {
 public:
  /// Throws UsageError where the parts do not fit each other.
  explicit Voter(TeamVote vote);

  /// The next sample: nobody has answered.
  void clear();

  /// What a member answers: a class, or -1 = abstains. Throws UsageError where the vote is of
  /// scores, the member is none or was added already, or the label is no class.
  void add(int member, std::int32_t label);

  /// What a member gives each class. A vote of labels takes the largest, the lowest class first.
  /// Throws UsageError where the member is none or was added already, there is not one score a
  /// class, or the vote is of scores and one is not in [0, largest_score].
  void add(int member, std::span<const double> scores);

  [[nodiscard]] bool is_decided() const { return decided_; }
  /// Everybody was added.
  [[nodiscard]] bool is_complete() const { return added_ == vote_.size(); }
  [[nodiscard]] int added() const { return added_; }
  [[nodiscard]] const TeamVote& vote() const { return vote_; }

  /// The class, -1 = no answer. Throws UsageError before is_decided().
  [[nodiscard]] std::int32_t answer() const;

  /// The mean of the members' scores, weighted where the vote is, into `out`: one a class. Throws
  /// UsageError where the vote is of labels, not everybody was added, or `out` has another length.
  void scores(std::span<double> out) const;

 private:
  [[nodiscard]] std::size_t place(int member) const;
  void note(std::size_t member);

  TeamVote vote_;
  double all_weights_ = 0;
  std::vector<Strength> strengths_;
  std::vector<char> is_in_;
  std::vector<std::int32_t> labels_;  // Votes of labels.
  std::vector<VoteTally> tallies_;    // The classes that got a vote, ascending.
  std::vector<double> rows_, sums_;   // Votes of scores.
  int added_ = 0;
  bool decided_ = false;
  std::int32_t answer_ = -1;
};

}  // namespace hqe
