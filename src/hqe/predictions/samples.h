// SPDX-License-Identifier: MIT
/// Which samples to choose on and which to hold out: seeded and stratified by true class.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/predictions/pool.h"

namespace hqe {

/// Two lists of samples, each ascending, that together are the pool.
struct SampleSplit {
  std::vector<std::uint64_t> selection;
  std::vector<std::uint64_t> held_out;
};

/// Holds out a share of the samples, of every class alike: the number held out of a class, and of
/// the pool, is within 1 of its share. The same for the same seed on every machine.
/// Throws UsageError where `share` is not in (0, 1) or leaves one of the lists empty.
[[nodiscard]] SampleSplit split_samples(const Pool& pool, double share, std::uint64_t seed);

/// Throws UsageError where `count` is below 2, above the number of samples or above 1,000.
void check_folds(const Pool& pool, int count);

/// The pool cut into `count` parts of equal size, of every class alike (numbers differ by at most
/// 1): split i holds out part i, so every sample is held out once. The same for the same seed.
/// Throws what check_folds() throws.
[[nodiscard]] std::vector<SampleSplit> fold_samples(const Pool& pool, int count,
                                                    std::uint64_t seed);

}  // namespace hqe
