// SPDX-License-Identifier: MIT
/// POOL on the command line: a folder, or loose files with --labels.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/session.h"
#include "hqe/formats/open_pool.h"

namespace hqe::cli {

struct PoolArguments {
  PoolPath path;
  std::vector<std::string> words;

  /// Opens what was named; `single`: one model is enough. Throws UsageError, also where the session
  /// would write one of its files, and InputError.
  [[nodiscard]] Pool open(const Session& session, bool single = false) const;
};

/// Adds --labels, --kind and the words to a command; they end in `pool`, which must outlive it.
void add_pool_arguments(Command& command, PoolArguments& pool);

}  // namespace hqe::cli
