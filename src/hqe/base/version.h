// SPDX-License-Identifier: MIT
/// Which hqe this is.

#pragma once

#include <string_view>

namespace hqe {

/// "0.1.0": the version that the build files name.
[[nodiscard]] std::string_view version();

}  // namespace hqe
