// SPDX-License-Identifier: MIT
/// Teams as users name them: models of a pool, or a file that says how they vote.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "hqe/study/team_file.h"
#include "options/vote_options.h"

namespace hqe::options {

struct NamedTeam {
  std::vector<ModelId> members;  ///< In the order given.
  std::optional<TeamFile> file{};
};

/// True of what names a team file or a study: it ends in ".json".
[[nodiscard]] bool is_team_file(std::string_view word);

/// How these teams vote. What the words leave open, files say, and words may not say otherwise.
/// `alone`: one team is all that votes, so that weights may be one a member, and those of a file
/// are used, as are its correct counts where votes tie. Others are weighed as the words say.
/// Throws UsageError.
[[nodiscard]] VoteOptions vote_of_teams(const VoteWords& words, const std::vector<NamedTeam>& teams,
                                        bool alone, int model_count);

}  // namespace hqe::options
