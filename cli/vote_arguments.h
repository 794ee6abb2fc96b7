// SPDX-License-Identifier: MIT
/// How votes are asked for on the command line.

#pragma once

#include <string>

#include "cli/command.h"
#include "hqe/evaluation/vote.h"

namespace hqe::cli {

struct VoteArguments {
  VoteOptions options;
  std::string weights;  ///< As given: empty, "accuracy", "log-odds", or a list.

  /// The options, once all words are known. Throws UsageError.
  [[nodiscard]] VoteOptions settled() const;
};

/// Adds --vote, --vote-weights and --ties; they end in `vote`, which must outlive the command.
/// `per_member`: weights may be one a member of the one team.
void add_vote_arguments(Command& command, VoteArguments& vote, bool per_member = false);

}  // namespace hqe::cli
