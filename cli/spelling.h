// SPDX-License-Identifier: MIT
/// How the command line writes options and commands.

#pragma once

#include <string>

#include "cli/command.h"
#include "hqe/base/message.h"
#include "options/option.h"

namespace hqe::cli {

/// "--max-candidates", "--keep 50", "--keep ''". What may be given several times is named for one.
[[nodiscard]] std::string spelled_option(const OptionName& option);

/// "hqe inspect", "hqe prune POOL -o FILE", "hqe front POOL --cascade -o FILE".
[[nodiscard]] std::string spelled_command(const CommandName& command);

/// Both.
[[nodiscard]] Spelling command_line_spelling();

/// Lets a command take these options.
void add_options(Command& command, const options::OptionList& list);

}  // namespace hqe::cli
