// SPDX-License-Identifier: MIT
/// --team on the command line: ids, names, a team file or a study.

#pragma once

#include <string>

#include "cli/command.h"
#include "cli/session.h"
#include "hqe/study/team_file.h"
#include "options/named_team.h"

namespace hqe::cli {

/// What help says of it.
inline constexpr const char* team_help =
    "The team: ids or names, joined by commas, or a team file or study (a name in .json).";

/// A team file, or what a study recommends. Throws InputError, and UsageError where the session
/// would write the file or the study recommends nothing.
[[nodiscard]] TeamFile read_team_file(const std::string& path, const Session& session);

/// "5,2,0", names or a file, as models of the pool in the order given. The pool takes over what the
/// file says of its classes. Throws UsageError, and InputError where the file does not fit it.
[[nodiscard]] options::NamedTeam find_team(Pool& pool, const std::string& word,
                                           const Session& session);

}  // namespace hqe::cli
