// SPDX-License-Identifier: MIT
/// The options of score and evaluate, which look at teams of given sizes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hqe/verbs/verbs.h"
#include "options/named_team.h"
#include "options/option.h"
#include "options/vote_options.h"

namespace hqe::options {

/// What help says of an option that takes teams.
inline constexpr const char* teams_help =
    "A team: ids or names, joined by commas, or a team file or study; repeatable.";

struct ScoreWords {
  ScoreOptions options;
  bool has_size = false;
  std::optional<std::uint64_t> seed;

  /// The options, once all words are known. Throws UsageError.
  [[nodiscard]] ScoreOptions settled() const;
};

struct EvaluateWords {
  EvaluateOptions options;         ///< But for the teams.
  std::vector<std::string> teams;  ///< As given: "0,2,5".
  VoteWords vote;

  /// The options, once all words are known, and each listed team: with one team alone, weights may
  /// be one a member, and a file's are used. Throws UsageError.
  [[nodiscard]] EvaluateOptions settled(const std::vector<NamedTeam>& named, int model_count) const;
};

/// What is filled must outlive the list.
void add_score_options(OptionList& list, ScoreWords& score);
void add_evaluate_options(OptionList& list, EvaluateWords& evaluate);

/// Throw UsageError, UnknownOption.
[[nodiscard]] ScoreOptions read_score_options(const Words& words);
[[nodiscard]] EvaluateOptions read_evaluate_options(const Words& words,
                                                    const std::vector<NamedTeam>& teams,
                                                    int model_count);

}  // namespace hqe::options
