// SPDX-License-Identifier: MIT
#include "hqe/report/numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hqe/base/percentage.h"

namespace hqe {

std::string count_text(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t place = 0; place < digits.size(); ++place) {
    if (place > 0 && (digits.size() - place) % 3 == 0) text += ',';
    text += digits[place];
  }
  return text;
}

std::string percent_text(std::optional<double> fraction, int decimals) {
  return fraction ? fraction_percentage(*fraction, decimals) + " %" : "-";
}

std::string accuracy_text(std::uint64_t correct, std::uint64_t total) {
  return total == 0 ? "-" : count_percentage(correct, total) + " %";
}

std::string gain_text(std::uint64_t correct, std::uint64_t reference, std::uint64_t total) {
  if (total == 0) return "-";
  if (correct == reference) return "0.00";
  return correct > reference ? "+" + count_percentage(correct - reference, total)
                             : "-" + count_percentage(reference - correct, total);
}

std::string points_text(double difference) {
  std::string points = fraction_percentage(difference);
  if (points == "0.00") return points;
  return (difference > 0 ? "+" : "-") + points;
}

std::string score_text(double score) { return fmt::format("{:.4f}", score); }

std::string reduction_text(double reduction) {
  std::string percent = fraction_percentage(reduction, 0);
  if (percent == "0") return "0 %";
  // Nearly everything is not everything.
  const bool is_part = reduction > 0 && reduction < 1;
  for (int digits = 1; is_part && percent.starts_with("100") && digits <= 4; ++digits) {
    percent = fraction_percentage(reduction, digits);
  }
  return (reduction > 0 ? "-" : "+") + percent + " %";
}

std::string quantity_text(double quantity) {
  constexpr std::array<const char*, 5> suffixes{"", " k", " M", " G", " T"};
  if (quantity == 0) return "0";
  std::size_t suffix = 0;
  while (std::abs(quantity) >= 999.5 && suffix + 1 < suffixes.size()) {
    quantity /= 1000;
    ++suffix;
  }
  // "1.23e-04" says where the first of three digits stands, after rounding.
  const std::string rounded = fmt::format("{:.2e}", quantity);
  const int place = std::stoi(rounded.substr(rounded.find('e') + 1));
  if (place < -6 || place > 14) return rounded + suffixes[suffix];
  return fmt::format("{:.{}f}{}", quantity, std::max(0, 2 - place), suffixes[suffix]);
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return count_text(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace hqe
