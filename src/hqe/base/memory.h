// SPDX-License-Identifier: MIT
/// Memory that was freed and that the allocator keeps.

#pragma once

namespace hqe {

/// Gives back to the system what lies free between what is in use. Worth its milliseconds only
/// after lists of millions were dropped. Does nothing where the C library cannot.
void return_free_memory();

}  // namespace hqe
