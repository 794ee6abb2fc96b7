// SPDX-License-Identifier: MIT
/// Help texts, from what commands say of themselves.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hqe::cli {

/// The list of commands.
[[nodiscard]] std::string overview(const std::vector<Command>& commands);

/// One command: usage, options, examples. `globals` are the options that it shares with others.
[[nodiscard]] std::string help(const Command& command, const std::vector<Option>& globals);

}  // namespace hqe::cli
