// SPDX-License-Identifier: MIT
/// A team as it is handed on: by the names of its members, with all that its vote rests on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/ensemble/costs.h"
#include "hqe/predictions/pool.h"
#include "hqe/serving/voter.h"
#include "hqe/statistics/intervals.h"
#include "hqe/study/study.h"
#include "hqe/study/trust.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// No score of a member is above this in any pool: the widest tolerance of row sums.
inline constexpr double widest_score_bound = 1.01;

/// Plain data. One model and all of them are teams too.
struct TeamFile {
  struct Member {
    std::string name;
    std::uint64_t correct = 0;  ///< On the selection pool: breaks ties of label votes.
  };
  /// How the members run one after another with the answers of all.
  struct Exit {
    std::vector<std::size_t> order;  ///< Places in `members`.
    std::optional<double> bound;     ///< The most a member gives a class; nothing: label votes.
    std::optional<Cost> cost;        ///< What is counted; nothing: models.
    double full_cost = 0;
    double expected_models = 0;
    double expected_cost = 0;
  };
  /// What to expect on other samples.
  struct Expected {
    double accuracy = 0;
    Interval interval;
    HeldOut judged_on = HeldOut::nothing;
    std::uint64_t samples = 0;
  };
  std::string name;  ///< Of the selection pool.
  Kind kind = Kind::labels;
  std::uint64_t sample_count = 0;
  int model_count = 0;          ///< Of the selection pool.
  std::vector<Member> members;  ///< Ascending by id there.
  Vote vote = Vote::plurality;
  Ties ties = Ties::accuracy;
  std::vector<double> weights;        ///< One a member where the vote is weighted; else empty.
  std::optional<double> temperature;  ///< Of the shares; nothing where there are none.
  int class_count = 0;
  std::vector<std::string> class_names;  ///< Empty, or class_count names.
  std::optional<Exit> early_exit;
  Expected expected;
  TeamCosts costs;

  [[nodiscard]] int size() const { return static_cast<int>(members.size()); }
  /// True where members are asked for a score a class.
  [[nodiscard]] bool adds_scores() const { return hqe::adds_scores(vote, kind); }
};

/// What a study recommends. Throws UsageError where it recommends nothing.
[[nodiscard]] TeamFile team_file_of(const Study& study);

/// What a file of a vote of scores lacks that was made of a digest: its temperature, and an order
/// in which to stop early. Empty of any other.
[[nodiscard]] std::vector<Message> warnings_of(const TeamFile& file);

/// The vote of the file's members, by their places: for Voter.
[[nodiscard]] TeamVote team_vote(const TeamFile& file);

/// The members in a pool, in the file's order, by their names; models without names are matched by
/// position where their number is that of the team, or of the pool it was chosen on where that had
/// no names either. The pool's classes must be the file's: a pool that does not name them takes
/// their names over, and one of labels their number. Its notes hear of what goes by position.
/// Throws InputError naming the member, the class or the kind that does not fit.
[[nodiscard]] std::vector<ModelId> match_team(const TeamFile& file, Pool& pool);

/// The file's vote for a pool in which its members are `members`: others weigh 0.
[[nodiscard]] VoteOptions vote_of(const TeamFile& file, const std::vector<ModelId>& members,
                                  int model_count);

}  // namespace hqe
