// SPDX-License-Identifier: MIT
/// exp and log of our own: the C library's differ between CPUs with and without FMA, and hqe
/// promises the same bits on every machine. Accurate to about one unit in the last place.

#pragma once

namespace hqe {

/// e^x. 0 below about -745, infinity above about 709.78, NaN for NaN; never decreasing in x.
[[nodiscard]] double portable_exp(double x);

/// Natural logarithm. Requires: x > 0 and finite.
[[nodiscard]] double portable_log(double x);

}  // namespace hqe
