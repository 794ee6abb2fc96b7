// SPDX-License-Identifier: MIT
/// How votes are asked for.

#pragma once

#include <string>

#include "hqe/votes/vote.h"
#include "options/option.h"

namespace hqe::options {

struct VoteWords {
  VoteOptions options;
  std::string weights{};  ///< As given: empty, "accuracy", "log-odds", or a list.
  bool has_ties = false;  ///< `options.ties` was asked for.

  /// The options, once all words are known. Throws UsageError.
  [[nodiscard]] VoteOptions settled() const;
};

/// Adds vote, vote_weights and ties; they end in `vote`, which must outlive the list.
/// `per_member`: weights may be one a member of the one team.
void add_vote_options(OptionList& list, VoteWords& vote, bool per_member = false);

/// Throws UsageError, UnknownOption.
[[nodiscard]] VoteWords read_vote_words(const Words& words);

}  // namespace hqe::options
