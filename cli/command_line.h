// SPDX-License-Identifier: MIT
/// The command line, understood. The only place that knows CLI11, whose headers are slow.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hqe::cli {

struct Parsed {
  const Command* command = nullptr;  ///< Null where only `text` is to be printed.
  Globals globals;
  std::string text;  ///< Help, when asked for.
};

/// The options that every command has; what they take ends in `globals`, which must outlive them.
[[nodiscard]] std::vector<Option> global_options(Globals& globals);

/// Hands every option to the command that takes it. Throws UsageError: unknown commands and
/// options name the nearest known one.
[[nodiscard]] Parsed parse_command_line(const std::vector<Command>& commands,
                                        const std::vector<std::string>& arguments);

}  // namespace hqe::cli
