// SPDX-License-Identifier: MIT
/// Help texts, from what commands say of themselves.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hqe::cli {

/// What a pool is, in a sentence.
[[nodiscard]] std::string pool_about();

/// "-o, --output FILE".
[[nodiscard]] std::string spaced_names(const Option& option);

/// A summary as a sentence.
[[nodiscard]] std::string sentence(const std::string& summary);

/// The list of commands.
[[nodiscard]] std::string overview(const std::vector<Command>& commands);

/// One command: usage, options, examples. `globals` are the options that it shares with others.
[[nodiscard]] std::string help(const Command& command, const std::vector<Option>& globals);

}  // namespace hqe::cli
