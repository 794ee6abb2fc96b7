// SPDX-License-Identifier: MIT
/// Shares as percentages for people, without the sign: "94.31". Halves round up.

#pragma once

#include <cstdint>
#include <string>

namespace hqe {

/// 100 part / whole, rounded half up from the exact quotient. Requires: whole > 0,
/// 0 <= decimals <= 10.
[[nodiscard]] std::string count_percentage(std::uint64_t part, std::uint64_t whole,
                                           int decimals = 2);

/// 100 |fraction|. A fraction that is a quotient of counts up to 2^31 rounds as the exact quotient
/// does, up to two decimals. Requires: 0 <= decimals <= 10.
[[nodiscard]] std::string fraction_percentage(double fraction, int decimals = 2);

}  // namespace hqe
