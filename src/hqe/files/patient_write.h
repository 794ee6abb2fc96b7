// SPDX-License-Identifier: MIT
/// Writing to what may make us wait: a pipe that nobody reads, a stopped terminal.

#pragma once

#include <string_view>

#include "hqe/files/atomic_file.h"

namespace hqe {

/// Writes all bytes, calling `check` at least every 50 ms of a wait. Returns 0, or the errno value
/// of the write that failed.
[[nodiscard]] int write_patiently(int descriptor, std::string_view bytes, const WriteCheck& check);

/// Opens a device or named pipe for writing; a pipe without a reader is waited for, with the
/// same calls. Returns the
/// descriptor, or -1 with errno set.
[[nodiscard]] int open_patiently(const char* path, bool is_pipe, const WriteCheck& check);

}  // namespace hqe
