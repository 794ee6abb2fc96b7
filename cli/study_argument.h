// SPDX-License-Identifier: MIT
/// The saved study that a command reads.

#pragma once

#include <string>

#include "cli/command.h"
#include "cli/session.h"
#include "hqe/study/study.h"

namespace hqe::cli {

struct StudyArgument {
  std::string path;

  /// Throws UsageError where no study was named or the session would write it, InputError where it
  /// cannot be read.
  [[nodiscard]] Study read(const Session& session) const;

  /// The report of it, or of a saved comparison of methods or cascade. Throws as read().
  [[nodiscard]] std::string page(const Session& session) const;
};

/// The command's one word is the study. `argument` must outlive the command.
void add_study_argument(Command& command, StudyArgument& argument);

}  // namespace hqe::cli
