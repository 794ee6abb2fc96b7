// SPDX-License-Identifier: MIT
/// Synthetic pools with chosen accuracies and correlated failures, the same bytes everywhere.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// With 50,000 samples and 1,000 classes the defaults are ImageNet-like: some model fails on more
/// than 55 % of the samples, and contested samples have more than 3 rivals on average.
struct SynthOptions {
  int model_count = 10;
  std::uint64_t sample_count = 10'000;
  int class_count = 10;
  Kind kind = Kind::probabilities;
  std::uint64_t seed = 0;
  double accuracy_min = 0.57;  ///< Models' accuracies are spread evenly from here ...
  double accuracy_max = 0.78;  ///< ... to here.
  double correlation = 0.8;    ///< Of how hard two models find a sample, in [0, 1).
  double abstain = 0.0;        ///< Share of samples a model does not answer, the hardest ones, in
                               ///< [0, 1 - accuracy_max]; label pools only.
};

/// Writes labels.npy (not in correctness pools), one float32 / int file a model and pool.toml into
/// `folder`, which must not exist or be empty. Streams: memory does not grow with the pool.
/// Deterministic for any number of threads. Throws UsageError for options out of range, above 100
/// GB or beyond the disk's room, OutputError where it cannot write.
void write_synthetic_pool(const std::filesystem::path& folder, const SynthOptions& options,
                          const Run& run);

/// The same pool in memory, for tests; sizes are the caller's responsibility.
[[nodiscard]] Pool synthetic_pool(const SynthOptions& options, const Run& run = {});

}  // namespace hqe
