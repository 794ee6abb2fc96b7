// SPDX-License-Identifier: MIT
/// Manual pages, from what commands say of themselves.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hqe::cli {

/// hqe(1), in the language of man.
[[nodiscard]] std::string manual(const std::vector<Command>& commands,
                                 const std::vector<Option>& globals);

/// hqe-COMMAND(1).
[[nodiscard]] std::string manual(const Command& command, const std::vector<Option>& globals);

}  // namespace hqe::cli
