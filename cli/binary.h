// SPDX-License-Identifier: MIT
/// Where the command itself lies, and with it what was installed with it.

#pragma once

#include <filesystem>

namespace hqe::cli {

/// The folder of the running program, links followed; empty where the system does not tell, which
/// is where there is no /proc.
[[nodiscard]] std::filesystem::path binary_folder();

}  // namespace hqe::cli
