// SPDX-License-Identifier: MIT
/// Numbers for people. Percentages exist on pages only; everything below deals in fractions.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hqe {

/// "12,345".
[[nodiscard]] std::string count_text(std::uint64_t count);
/// "94.31 %"; "-" for nothing. A quotient of counts rounds half up, as fraction_percentage() says.
[[nodiscard]] std::string percent_text(std::optional<double> fraction, int decimals = 2);
/// "94.31 %" of two counts, rounded half up from the exact quotient; "-" where total is 0.
[[nodiscard]] std::string accuracy_text(std::uint64_t correct, std::uint64_t total);
/// "+0.79": percentage points between two counts of the same samples, rounded half away from 0 from
/// the exact quotient; "0.00" without a sign where they are equal.
[[nodiscard]] std::string gain_text(std::uint64_t correct, std::uint64_t reference,
                                    std::uint64_t total);
/// "+0.79" of a difference of 0.0079; "0.00" without a sign.
[[nodiscard]] std::string points_text(double difference);
/// "0.8123".
[[nodiscard]] std::string score_text(double score);
/// "-62 %" of a reduction of 0.62, "+5 %" of -0.05.
[[nodiscard]] std::string reduction_text(double reduction);
/// "25.6 M", "0.00123": three significant digits.
[[nodiscard]] std::string quantity_text(double quantity);
/// "1 team", "12,345 teams".
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& noun);

}  // namespace hqe
