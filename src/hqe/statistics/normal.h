// SPDX-License-Identifier: MIT
/// The normal distribution, from our own exp: the same bits on every machine.

#pragma once

namespace hqe {

/// P(Z <= z) of a standard normal Z, to about 1e-14 absolute.
[[nodiscard]] double normal_cdf(double z);

/// The z with normal_cdf(z) == p. Requires: 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

}  // namespace hqe
