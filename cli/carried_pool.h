// SPDX-License-Identifier: MIT
/// The demo pool in the binary itself, where it was built to run without any other file: as
/// digests, which are a quarter of its size and know every answer but what depends on shares.

#pragma once

#include <optional>
#include <string>

#include "hqe/predictions/pool.h"

namespace hqe::cli {

/// Half of the demo pool, "validation" or "test"; nothing where this binary carries none.
[[nodiscard]] std::optional<Pool> carried_pool(const std::string& half);

}  // namespace hqe::cli
