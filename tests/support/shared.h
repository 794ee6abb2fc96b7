// SPDX-License-Identifier: MIT
/// Pools and goldens that lie beside the repository and are never copied into it.

#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

namespace hqe::testing {

/// The folder beside the repository, or what HQE_SHARED_DIR in the environment names.
inline std::filesystem::path shared_folder() {
  const char* asked = std::getenv("HQE_SHARED_DIR");
  return asked != nullptr ? asked : HQE_SHARED_DIR;
}

/// A decorator of test cases: `TEST_CASE("..." * testing::NeedsShared())` is skipped, with the
/// reason, where shared_folder() has no goldens.
struct NeedsShared {
  void fill(doctest::detail::TestCase& test) const {
    if (std::filesystem::is_directory(shared_folder() / "goldens")) return;
    test.m_skip = true;
    test.m_description = "../shared is absent";
  }
};

}  // namespace hqe::testing
