// SPDX-License-Identifier: MIT
/// The decision of docs/algorithms.md, word for word: every team, every half, every sample again.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/reference/pool.h"

namespace hqe::reference {

/// How surely a team is right on a sample, in 2^-20ths, by the pool's default vote.
[[nodiscard]] std::uint64_t sureness(const ReferencePool& pool, const Members& team, int sample);

/// True for a class that some model puts at or above the true one.
[[nodiscard]] bool is_rival(const ReferencePool& pool, int sample, int label);

/// True where there is a rival, or somebody abstains.
[[nodiscard]] bool is_contested(const ReferencePool& pool, int sample);

struct LiteralCandidate {
  std::string title;
  Members team;
  double expected = 0;
  std::vector<double> judged;
};

struct LiteralDecision {
  std::vector<LiteralCandidate> candidates;
  std::size_t recommended = 0;
};

/// What is recommended among all teams of up to `size` models and the entire ensemble. `cells`: the
/// cell of each sample; `halves`: the sets of cells to choose on, each as bits, of which every one
/// and its complement is tried.
[[nodiscard]] LiteralDecision decide(const ReferencePool& pool, int size,
                                     const std::vector<int>& cells,
                                     const std::vector<std::uint32_t>& halves);

}  // namespace hqe::reference
