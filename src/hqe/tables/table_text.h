// SPDX-License-Identifier: MIT
/// Tables that lie in memory, for whoever has no file. Implemented in table_pool.cpp.

#pragma once

#include "hqe/files/mapped_file.h"
#include "hqe/tables/table_pool.h"

namespace hqe {

/// What read_table_pool() makes of a file with these bytes; `path` says the rest. Throws
/// InputError.
[[nodiscard]] PoolParts read_table_text(const FileBytes& text, const TablePath& path);

}  // namespace hqe
