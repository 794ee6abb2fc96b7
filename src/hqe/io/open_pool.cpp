// SPDX-License-Identifier: MIT
#include "hqe/io/open_pool.h"

#include "hqe/io/pool_parts.h"

namespace hqe {

Pool open_pool(const PoolPath& path) { return make_pool(read_pool_parts(path)); }

}  // namespace hqe
