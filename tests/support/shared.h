// SPDX-License-Identifier: MIT
/// Pools and goldens that lie beside the repository and are never copied into it.

#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>

namespace hqe::testing {

/// The folder beside the repository, or what HQE_SHARED_DIR in the environment names. Nothing, with
/// a message, when it is absent: the caller returns.
inline std::optional<std::filesystem::path> shared_folder() {
  const char* asked = std::getenv("HQE_SHARED_DIR");
  const std::filesystem::path folder = asked != nullptr ? asked : HQE_SHARED_DIR;
  if (std::filesystem::is_directory(folder / "goldens")) return folder;
  std::cout << "SKIPPED: ../shared is absent\n";
  return std::nullopt;
}

}  // namespace hqe::testing
