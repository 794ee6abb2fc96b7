// SPDX-License-Identifier: MIT
/// Blocks made by hand, for tests that want other ones than the scan makes.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/scan/scan.h"
#include "tests/reference/pool.h"

namespace hqe::reference {

/// Hands a label pool to `consumers` in blocks of 1 to `largest` samples (seeded), from
/// `worker_count` threads. Nothing is aligned to anything.
void hand_on(const ReferencePool& pool, std::span<BlockConsumer* const> consumers, int largest,
             int worker_count, std::uint64_t seed);

/// The pool of some of the samples, in that order.
[[nodiscard]] ReferencePool samples_of(const ReferencePool& pool, const std::vector<int>& samples);

/// The pool of some of the models, in that order.
[[nodiscard]] ReferencePool models_of(const ReferencePool& pool, const std::vector<int>& models);

}  // namespace hqe::reference
