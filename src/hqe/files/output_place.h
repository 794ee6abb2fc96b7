// SPDX-License-Identifier: MIT
/// Where a file to be written really lies, and whether it may be written there.

#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hqe {

struct OutputPlace {
  std::filesystem::path path;           ///< Where links lead to, also a link to nothing yet.
  std::optional<struct stat> existing;  ///< What is there now; nothing where the file is new.

  /// A file, to be replaced as a whole; otherwise a device or pipe, to be written into.
  [[nodiscard]] bool is_file() const { return !existing || S_ISREG(existing->st_mode); }
  [[nodiscard]] std::filesystem::path folder() const;
};

/// Finds the place. Throws OutputError where there is a folder, a file that is read-only for us, or
/// no way to it: a loop of links, a name too long.
[[nodiscard]] OutputPlace find_output_place(const std::filesystem::path& path);

/// Refuses a file to be written before the work begins rather than after it: what
/// find_output_place() refuses, and a folder that is missing or read-only. Throws OutputError.
void check_output(const std::filesystem::path& path);

/// Refuses an output that is one of the inputs, and two outputs that are one file, by whatever
/// names and links; pipes and devices pass. Throws UsageError.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Refuses a digest in the folder of the pool that it is made of, which nobody could read then: it
/// would hold its rows twice. An empty folder passes. Throws UsageError.
void check_not_in(const std::string& output, const std::string& folder);

/// The error of a write to `path` that the system refused.
[[noreturn]] void refuse_output(const std::filesystem::path& path, int error_number);

}  // namespace hqe
