// SPDX-License-Identifier: MIT
/// How large a pool may be.

#pragma once

#include <cstdint>

namespace hqe {

/// The most samples a pool may have.
inline constexpr std::int64_t max_sample_count = std::int64_t{1} << 31;

}  // namespace hqe
