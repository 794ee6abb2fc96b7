// SPDX-License-Identifier: MIT
#include "cli/binary.h"

#include <system_error>

namespace hqe::cli {

std::filesystem::path binary_folder() {
  std::error_code error;
  const std::filesystem::path binary = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : binary.parent_path();
}

}  // namespace hqe::cli
