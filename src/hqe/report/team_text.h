// SPDX-License-Identifier: MIT
/// A team to hand on, as text for a terminal.

#pragma once

#include <string>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/report/text.h"
#include "hqe/study/team_file.h"

namespace hqe {

/// `notes`: how the pool was read that it was made of. Ends with a newline and depends on its
/// arguments alone.
[[nodiscard]] std::string to_text(const TeamFile& file, const TextOptions& options = {},
                                  const std::vector<Message>& notes = {});

/// "93.10 % (92.4 to 93.8 %) on the half held back".
[[nodiscard]] std::string expected_text(const TeamFile::Expected& expected);

}  // namespace hqe
