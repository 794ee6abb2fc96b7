// SPDX-License-Identifier: MIT
/// A pool as plain arrays, small and slow: what the literal transcriptions in this folder read.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/predictions/pool.h"

namespace hqe::reference {

/// A team as the paper writes it: model ids, ascending.
using Members = std::vector<int>;

struct ReferencePool {
  int model_count = 0;
  int sample_count = 0;
  int class_count = 0;
  std::vector<std::vector<int>> predictions;  ///< [model][sample]; -1 = abstains.
  /// [model][sample][class]; empty in a label pool. Logits are held as their softmax.
  std::vector<std::vector<std::vector<double>>> probabilities;
  std::vector<int> truth;  ///< [sample].

  [[nodiscard]] bool fails(int model, int sample) const {
    return predictions[model][sample] != truth[sample];
  }
  /// N minus the failures of `model`.
  [[nodiscard]] int correct(int model) const;
  /// The numbers of all samples.
  [[nodiscard]] std::vector<int> all_samples() const;
  /// NegSampSet(f): the samples that `focal` fails on.
  [[nodiscard]] std::vector<int> negative_samples(int focal) const;
};

/// Every team of a size, in team order.
[[nodiscard]] std::vector<Members> all_teams(int model_count, int team_size);

/// argmax; the lowest class wins a tie.
[[nodiscard]] int argmax(const std::vector<double>& row);

/// Spec section 2: subtract the maximum, our own exp, sum by ascending class.
[[nodiscard]] std::vector<double> softmax(const std::vector<double>& logits);

struct RandomPoolOptions {
  int model_count = 5;
  int sample_count = 100;
  int class_count = 3;
  double accuracy = 0.6;
  double abstain = 0;          ///< Share of abstentions.
  bool probabilities = false;  ///< Also scores; then nobody abstains.
  std::uint64_t seed = 1;
};

/// A pool whose models share some of their failures.
[[nodiscard]] ReferencePool random_pool(const RandomPoolOptions& options);

/// The same pool for the library: labels, or float64 probabilities where it has them.
[[nodiscard]] Pool to_pool(const ReferencePool& pool);

/// The pool that a library pool holds (any kind).
[[nodiscard]] ReferencePool from_pool(const Pool& pool);

}  // namespace hqe::reference
