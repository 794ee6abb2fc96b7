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

struct SynthOptions {
  int model_count = 10;
  std::uint64_t sample_count = 10'000;
  int class_count = 10;
  Kind kind = Kind::probabilities;
  std::uint64_t seed = 0;
  double accuracy_min = 0.57;  ///< Models' accuracies are spread evenly from here ...
  double accuracy_max = 0.78;  ///< ... to here.
  double correlation = 0.5;    ///< Of failures between models, in [0, 1).
  double abstain = 0.0;        ///< Share of abstentions; label pools only.
};

/// Writes labels.npy, one float32 / int file a model and pool.toml into `folder`, which must not
/// exist or be empty. Streams: memory does not grow with the pool. Deterministic for any number of
/// threads. Throws UsageError for options out of range, InputError where it cannot write.
void write_synthetic_pool(const std::filesystem::path& folder, const SynthOptions& options,
                          const Run& run);

/// The same pool in memory, for tests; sizes are the caller's responsibility.
[[nodiscard]] Pool synthetic_pool(const SynthOptions& options, const Run& run = {});

}  // namespace hqe
