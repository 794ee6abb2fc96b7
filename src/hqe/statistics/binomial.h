// SPDX-License-Identifier: MIT
/// Binomial probabilities and random binomial numbers, the same on every platform.

#pragma once

#include <cstdint>

#include "hqe/base/random.h"

namespace hqe {

/// ln n!, to about 1e-15 relative.
[[nodiscard]] double log_factorial(std::uint64_t n);

/// P(X <= k) for X binomial(n, 1/2), to 1e-15 relative, and exactly 1/2 where it is.
/// O(sqrt(n)). Requires: k <= n <= 2^31.
[[nodiscard]] double binomial_half_cdf(std::uint64_t k, std::uint64_t n);

/// The number of successes in n trials of probability p, in [0, 1]. One random number; the
/// probabilities are right to about 1e-9 relative. O(sqrt(n p (1 - p))).
[[nodiscard]] std::uint64_t draw_binomial(Random& random, std::uint64_t n, double p);

}  // namespace hqe
