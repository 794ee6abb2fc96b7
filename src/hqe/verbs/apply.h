// SPDX-License-Identifier: MIT
/// A team's answers to the samples of a pool, which need not have true labels.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/base/run.h"
#include "hqe/predictions/pool.h"
#include "hqe/study/study.h"
#include "hqe/study/team_file.h"

namespace hqe {

struct ApplyOptions {
  VoteOptions vote{};
  /// Of the shares that the members' mean scores are (calibration/temper.h). Nothing: as they are.
  std::optional<double> temperature{};
  std::optional<TeamFile::Expected> expected{};  ///< Of the team, for whoever reads the answer.
  /// The team in the order in which its scores add up: that of a team file, so that every pool
  /// gives the same bits. Empty: ascending.
  std::vector<ModelId> members{};
  /// Of votes of scores also probabilities, margins and scores, which need those of every class.
  /// False: they stay empty, and digests do.
  bool with_scores = true;
};

/// What a team file says of its `members` in a pool. Requires: they are of match_team().
[[nodiscard]] ApplyOptions apply_options(const TeamFile& file, VoteOptions vote,
                                         std::vector<ModelId> members);

/// A team's combined predictions. The columns, one a sample, are empty where a consumer took them.
struct Combined {
  PoolSummary pool;
  Vote vote = Vote::plurality;
  TeamFigures figures{};  ///< `correct` means nothing where the pool has no labels.
  std::uint64_t answers = 0;
  std::optional<double> temperature{};
  std::optional<TeamFile::Expected> expected{};
  std::vector<Message> warnings{};
  std::vector<std::int32_t> labels{};  ///< -1 = no answer.
  /// N x C means of the members' scores, at the temperature; empty for label votes.
  std::vector<double> scores{};
  std::vector<double> probabilities{};  ///< The answers' scores; empty for label votes.
  std::vector<double> margins{};        ///< As of AnswerBlock.
  std::vector<std::int32_t> agreeing{};
};

/// Answers to consecutive samples, valid during the call that they are handed to.
struct AnswerBlock {
  std::uint64_t first = 0;               ///< The first sample's number.
  std::span<const std::int32_t> labels;  ///< -1 = no answer.
  std::span<const double> scores;        ///< Class after class; empty for label votes.
  std::span<const double> probabilities;
  /// How far the answer is ahead of the next class: in score, or in votes; NaN without an answer.
  std::span<const double> margins;
  std::span<const std::int32_t> agreeing;  ///< Members whose own prediction is the answer.
  std::span<const std::int32_t> truth;     ///< Empty without true labels.
};

/// Takes answers as they come.
class AnswerConsumer {
 public:
  virtual ~AnswerConsumer() = default;
  /// Once the pool was read: all is known but the answers.
  virtual void start(const Combined& known) = 0;
  /// Blocks come in the order of their samples, on the thread that called.
  virtual void take(const AnswerBlock& block) = 0;
  virtual void finish(const Combined& combined) = 0;
};

/// The team's answers. Labels, and scores without a temperature, are those of Voter with all
/// members added, bit for bit. Throws UsageError, and InputError where the vote needs the models'
/// correct counts and neither the options nor true labels give them.
[[nodiscard]] Combined apply(Pool pool, const Team& team, const ApplyOptions& options,
                             const Run& run = {});
/// The same, handed on block by block: memory does not grow with the number of samples.
Combined apply(Pool pool, const Team& team, const ApplyOptions& options, const Run& run,
               AnswerConsumer& consumer);

}  // namespace hqe
