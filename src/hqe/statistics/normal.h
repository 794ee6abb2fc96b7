// SPDX-License-Identifier: MIT
/// The normal distribution, from our own exp: the same bits on every machine.

#pragma once

namespace hqe {

/// P(Z <= z) of a standard normal Z, to about 1e-14 absolute.
[[nodiscard]] double normal_cdf(double z);

/// The z with normal_cdf(z) == p, for what is concluded: as exact as normal_cdf(), and costs some
/// sixty calls of it. Requires: 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

/// The same for what is drawn and not concluded: a quotient of polynomials, accurate to about 1e-9;
/// -8 and 8 at the ends. Requires: 0 <= probability <= 1.
[[nodiscard]] double rough_normal_quantile(double probability);

}  // namespace hqe
