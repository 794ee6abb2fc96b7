// SPDX-License-Identifier: MIT
/// The demo pool in the binary itself, where it was built to run without any other file.

#pragma once

#include <optional>
#include <string>

#include "hqe/predictions/pool.h"

namespace hqe::cli {

/// A folder of the demo pool, "validation" or "test"; nothing where this binary carries none.
[[nodiscard]] std::optional<Pool> carried_pool(const std::string& folder);

}  // namespace hqe::cli
