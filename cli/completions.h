// SPDX-License-Identifier: MIT
/// What a shell offers when somebody presses the tabulator, from what commands say of themselves.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hqe::cli {

/// `words` are what stands behind `hqe` up to the cursor; the last is not finished and may be
/// empty. Each line is a word that could stand in its place, a tabulator and what it is: commands,
/// options, what an option may be, and the models of the pool that is named. Nothing: a file.
/// Throws nothing because of what the words name.
[[nodiscard]] std::string completions(const std::vector<Command>& commands,
                                      std::vector<std::string> words);

}  // namespace hqe::cli
