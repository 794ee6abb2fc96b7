// SPDX-License-Identifier: MIT
/// The largest of many numbers, several at a time.

#pragma once

#include <cstddef>
#include <span>

namespace hqe {

/// The largest of `numbers`; 0 where there is none. Requires: none is NaN or negative.
[[nodiscard]] double largest_of(std::span<const double> numbers);

/// Where the largest is, the first of equal ones. Requires: as above, and there is one.
[[nodiscard]] std::size_t place_of_largest(std::span<const double> numbers);

/// The largest of all but the one at `place`; 0 where there is no other. Requires: as above.
[[nodiscard]] double largest_but(std::span<const double> numbers, std::size_t place);

}  // namespace hqe
