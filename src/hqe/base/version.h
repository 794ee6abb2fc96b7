// SPDX-License-Identifier: MIT
/// Which hqe this is.

#pragma once

#include <string_view>

namespace hqe {

/// The version, "0.2.0" for one, that the build files name.
[[nodiscard]] std::string_view version();

}  // namespace hqe
