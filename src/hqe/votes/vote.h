// SPDX-License-Identifier: MIT
/// How a team's members are combined into one prediction (spec section 2).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/predictions/pool.h"

namespace hqe {

enum class Vote { soft, weighted, plurality, majority };

/// What a vote adds up.
enum class VoteNeeds {
  scores,  ///< Class scores: it needs probabilities or logits.
  labels,  ///< Predicted labels, which every kind of pool has.
  either,  ///< Scores where there are some, else labels.
};

struct VoteRule;
/// The class that a team answers for a sample; -1: none. Defined in vote.cpp.
using VoteAnswer = std::int32_t(const Pool&, const VoteRule&, TeamView, std::uint64_t sample);
namespace answer {
VoteAnswer by_scores, by_labels;
}  // namespace answer

/// All that is known of a vote beside its definition in docs/spec.md and, transcribed, in
/// tests/reference/votes.cpp.
struct VoteRow {
  Vote vote;
  std::string_view name;   ///< The word of options, of JSON and of Python.
  std::string_view title;  ///< Who wins.
  VoteNeeds needs;
  bool has_weights;       ///< One a model.
  VoteAnswer* of_scores;  ///< Null where it needs none.
  VoteAnswer* of_labels;  ///< Null where it takes none.
  std::string_view reference;
};

inline constexpr std::array vote_rows{
    VoteRow{Vote::soft, "soft", "the largest sum of scores", VoteNeeds::scores, false,
            answer::by_scores, nullptr, "Kittler et al. 1998"},
    VoteRow{Vote::weighted, "weighted", "the largest sum of weighted scores or votes",
            VoteNeeds::either, true, answer::by_scores, answer::by_labels, "Kuncheva 2004"},
    VoteRow{Vote::plurality, "plurality", "the most votes", VoteNeeds::labels, false, nullptr,
            answer::by_labels, "Lam and Suen 1997"},
    VoteRow{Vote::majority, "majority", "the votes of more than half of the members",
            VoteNeeds::labels, false, nullptr, answer::by_labels, "Lam and Suen 1997"}};

static_assert(
    [] {
      for (std::size_t i = 0; i < vote_rows.size(); ++i) {
        if (static_cast<std::size_t>(vote_rows[i].vote) != i) return false;
      }
      return true;
    }(),
    "the rows stand in the order of the votes");

/// Throws std::out_of_range for a vote that was given no row.
[[nodiscard]] constexpr const VoteRow& row_of(Vote vote) {
  return vote_rows.at(static_cast<std::size_t>(vote));
}

inline constexpr std::array all_votes = [] {
  std::array<Vote, vote_rows.size()> votes{};
  for (std::size_t i = 0; i < votes.size(); ++i) votes[i] = vote_rows[i].vote;
  return votes;
}();

/// "soft, weighted, plurality or majority" with " or " as the last separator.
[[nodiscard]] std::string vote_names(std::string_view last = ", ");

enum class Ties { accuracy, label };
inline constexpr std::array all_ties{Ties::accuracy, Ties::label};
/// Where the weights of a weighted vote come from when none are listed.
enum class WeighBy { accuracy, log_odds };
inline constexpr std::array all_weigh_bys{WeighBy::accuracy, WeighBy::log_odds};

[[nodiscard]] std::string_view to_string(Vote vote);
[[nodiscard]] std::string_view to_string(Ties ties);
[[nodiscard]] std::string_view to_string(WeighBy weigh_by);
[[nodiscard]] std::optional<Vote> parse_vote(std::string_view word);
[[nodiscard]] std::optional<Ties> parse_ties(std::string_view word);
[[nodiscard]] std::optional<WeighBy> parse_weigh_by(std::string_view word);

struct VoteOptions {
  /// Nothing: soft for probabilities and logits, plurality for labels and correctness.
  std::optional<Vote> vote;
  /// Weighted votes: one weight a model, each 0 or in [1e-100, 1e100], not all 0. Empty: as
  /// `weigh_by` says.
  std::vector<double> weights;
  /// How a tie of classes that got votes is broken.
  Ties ties = Ties::accuracy;
  /// Accuracy: the models' accuracies on the selection pool. Log-odds: log(p / (1 - p)) of them, 0
  /// at or below one half; a model that never fails there counts as failing on half a sample.
  /// Where all would weigh 0, all weigh 1.
  WeighBy weigh_by = WeighBy::accuracy;
  /// Correct counts that break ties, one a model. Empty: those of the pool itself.
  std::vector<std::uint64_t> correct;
};

/// A vote with everything settled that a sample's outcome depends on.
struct VoteRule {
  Vote vote = Vote::plurality;
  Ties ties = Ties::accuracy;
  /// Weighted: one a model.
  std::vector<double> weights;
  /// Correct counts on the selection pool, one a model: they break ties of classes' votes.
  std::vector<std::uint64_t> correct;
};

/// True where the vote adds up class scores; else labels are counted.
[[nodiscard]] bool adds_scores(Vote vote, Kind kind);

/// `options` whose weights are one a member of `members`, in that order, as one a model: others
/// weigh 0. Nothing changes where there are no weights, or as many as models and not as members.
/// Throws UsageError where there are neither.
[[nodiscard]] VoteOptions with_member_weights(VoteOptions options,
                                              const std::vector<ModelId>& members, int model_count);

/// Settles the vote for a pool. `correct` are the models' correct counts on the selection pool.
/// Throws UsageError when the pool's kind does not allow the vote, naming the votes that work, and
/// when weights are unusable or given for another vote than the weighted one. `names`: of the
/// models, for the message; empty: they go by their ids.
[[nodiscard]] VoteRule settle_vote(Kind kind, std::uint64_t sample_count,
                                   const VoteOptions& options, std::vector<std::uint64_t> correct,
                                   const std::vector<std::string>& names = {});

/// The class that `team` answers for one sample, literally as the votes are defined; -1 = no
/// answer. The definition that every fast path must equal. O(S C). Requires: a non-empty team.
[[nodiscard]] std::int32_t team_answer(const Pool& pool, const VoteRule& rule, TeamView team,
                                       std::uint64_t sample);

/// What a vote of labels came to.
struct LabelVote {
  std::int32_t answer = -1;  ///< -1 = none.
  double margin = 0;         ///< Votes, or their weights, ahead of the next class.
};

/// The vote of `labels`, one a member of `team` (-1 = abstains): what team_answer() says where
/// these are the members' predictions. Requires: a vote that adds labels, a non-empty team.
[[nodiscard]] LabelVote vote_of_labels(const VoteRule& rule, TeamView team,
                                       std::span<const std::int32_t> labels);

}  // namespace hqe
