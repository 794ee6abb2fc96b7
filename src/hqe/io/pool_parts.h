// SPDX-License-Identifier: MIT
/// The files of a pool, found and opened, before anybody asks whether they fit together.

#pragma once

#include "hqe/io/open_pool.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// What open_pool() hands to make_pool(). Throws InputError.
[[nodiscard]] PoolParts read_pool_parts(const PoolPath& path);

}  // namespace hqe
