// SPDX-License-Identifier: MIT
/// Many divisions at once, on the active SIMD target. Each is rounded as one alone, so that every
/// target gives the same bits.

#pragma once

#include <span>

namespace hqe {

/// values[i] /= divisors[i]. Requires: equal lengths.
void divide_each(std::span<double> values, std::span<const double> divisors);

}  // namespace hqe
