// SPDX-License-Identifier: MIT
#include "hqe/report/numbers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

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
  return fraction ? fmt::format("{:.{}f} %", 100 * *fraction, decimals) : "-";
}

std::string accuracy_text(std::uint64_t correct, std::uint64_t total) {
  if (total == 0) return "-";
  return percent_text(static_cast<double>(correct) / static_cast<double>(total));
}

std::string gain_text(std::uint64_t correct, std::uint64_t reference, std::uint64_t total) {
  if (total == 0) return "-";
  const double points = 100 * (static_cast<double>(correct) - static_cast<double>(reference)) /
                        static_cast<double>(total);
  if (correct == reference) return "0.00";
  return fmt::format("{:+.2f}", points);
}

std::string score_text(double score) { return fmt::format("{:.4f}", score); }

std::string reduction_text(double reduction) {
  const double percent = std::round(-100 * reduction);
  return percent == 0 ? "0 %" : fmt::format("{:+.0f} %", percent);
}

std::string quantity_text(double quantity) {
  constexpr std::array<const char*, 5> suffixes{"", " k", " M", " G", " T"};
  std::size_t suffix = 0;
  while (std::abs(quantity) >= 999.95 && suffix + 1 < suffixes.size()) {
    quantity /= 1000;
    ++suffix;
  }
  return fmt::format("{:.{}f}{}", quantity, quantity < 10 ? 2 : 1, suffixes[suffix]);
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return count_text(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace hqe
